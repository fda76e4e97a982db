import { z } from 'zod';
import type { DescribedEvent, TargetArguments } from '../model/application.ts';

/** Event types of the swap service (E14.11). */
export const swapTypes = {
  priceMoved: 'tradewind.swap.price.v1.moved',
  routeChanged: 'tradewind.swap.route.v1.changed',
  rpcsRefreshed: 'tradewind.swap.rpcs.v1.refreshed',
} as const;

/** Event types of authorization (E14.13). */
export const authorizationTypes = {
  clientRegistered: 'tradewind.authorization.client.v1.registered',
  grantCreated: 'tradewind.authorization.grant.v1.created',
  grantRevoked: 'tradewind.authorization.grant.v1.revoked',
  reuseDetected: 'tradewind.authorization.token.v1.reuseDetected',
} as const;

/** Event types of a file in a watched folder (E14.14). */
export const folderTypes = {
  created: 'tradewind.folder.file.v1.created',
  changed: 'tradewind.folder.file.v1.changed',
  moved: 'tradewind.folder.file.v1.moved',
  deleted: 'tradewind.folder.file.v1.deleted',
} as const;

const chainId = z.int().positive().describe('The chain, such as 1 for Ethereum.');
const address = (meaning: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be the address of a token, 0x and 40 hexadecimal digits')
    .describe(meaning);

/** A pair of tokens, and when its price counts as moved. */
export const pairArguments: TargetArguments = {
  names: { chain: 'chainId', in: 'tokenIn', out: 'tokenOut' },
  schema: z.strictObject({
    chainId,
    tokenIn: address('The token that is sold.'),
    tokenOut: address('The token that is bought.'),
    amount: z
      .string()
      .regex(/^[1-9]\d{0,77}$/, 'must be a whole number above 0 as text')
      .optional()
      .describe('How much is sold, in the smallest unit of the token; one whole token by default.'),
    thresholdBps: z
      .int()
      .min(0)
      .max(10_000)
      .default(100)
      .describe('How far the price must move, in basis points.'),
    intervalSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .describe('The shortest time between two events, in seconds.'),
  }),
};

export const chainArguments: TargetArguments = {
  names: { chain: 'chainId' },
  schema: z.strictObject({ chainId: chainId.optional() }),
};

const id = (meaning: string) => z.string().min(1).max(1_024).optional().describe(meaning);

/** One client, or one person; neither means all clients. */
export const clientArguments: TargetArguments = {
  names: { client: 'clientId' },
  schema: z.strictObject({ clientId: id('Only events of this client; not with userId.') }),
  isDefault: true,
};

export const userArguments: TargetArguments = {
  names: { user: 'userId' },
  schema: z.strictObject({ userId: id('Only events of this person; not with clientId.') }),
};

/** One of the watched folders; left out, all of them. */
export function folderArguments(folders: readonly string[]): TargetArguments {
  const folder = folders.length === 0 ? z.string().min(1) : z.enum(folders);
  return {
    names: { name: 'folder' },
    schema: z.strictObject({
      folder: folder.optional().describe('The name of a watched folder; all if left out.'),
    }),
  };
}

const text = { type: 'string' };
const whole = { type: 'integer' };
const reading = {
  chainId: whole,
  tokenIn: text,
  tokenOut: text,
  amountIn: { type: 'string', description: 'In the smallest unit of tokenIn.' },
  amountOut: { type: 'string', description: 'In the smallest unit of tokenOut.' },
  price: { type: 'number', description: 'One tokenIn in tokenOut.' },
  blockNumber: whole,
  blockHash: text,
};

export const describedSwap: Readonly<Record<string, DescribedEvent>> = {
  [swapTypes.priceMoved]: {
    description: 'The price of a pair of tokens moved by at least thresholdBps.',
    resource: 'price',
    fields: { ...reading, previousAmountIn: text, previousAmountOut: text },
  },
  [swapTypes.routeChanged]: {
    description: 'The best route between a pair of tokens leads through other pools.',
    resource: 'route',
    fields: {
      ...reading,
      paths: { type: 'array', description: 'The pools of each path, in order.' },
    },
  },
  [swapTypes.rpcsRefreshed]: {
    description: 'The RPC endpoints of a chain were measured and ranked again.',
    resource: 'rpcs',
    fields: { chainId: whole, rpcUrls: { type: 'array', items: text } },
  },
};

const authority = { clientId: text, accountId: text };

export const describedAuthorization: Readonly<Record<string, DescribedEvent>> = {
  [authorizationTypes.clientRegistered]: {
    description: 'A client was registered.',
    resource: 'client',
    fields: authority,
  },
  [authorizationTypes.grantCreated]: {
    description: 'A person allowed a client something.',
    resource: 'grant',
    fields: authority,
  },
  [authorizationTypes.grantRevoked]: {
    description: 'What a client was allowed was withdrawn.',
    resource: 'grant',
    fields: authority,
  },
  [authorizationTypes.reuseDetected]: {
    description: 'A refresh token was used twice, so it was stolen or lost.',
    resource: 'token',
    fields: authority,
  },
};

const file = {
  path: text,
  size: whole,
  modifyTime: { type: 'string', format: 'date-time' },
  previousPath: { type: 'string', description: 'Where it was before it moved.' },
};

const ofFile = (happened: string): DescribedEvent => ({
  description: `A file of a watched folder was ${happened}.`,
  resource: 'file',
  fields: file,
});

export const describedFolder: Readonly<Record<string, DescribedEvent>> = {
  [folderTypes.created]: ofFile('created'),
  [folderTypes.changed]: ofFile('changed'),
  [folderTypes.moved]: ofFile('moved or renamed'),
  [folderTypes.deleted]: ofFile('deleted'),
};

import { Hono } from 'hono';
import { z } from 'zod';
import {
  type Devchain,
  type DevchainDeployment,
  DevchainError,
  devchainLimits,
  startDevchain,
} from '../devchain/index.ts';
import type { EdgeEnv, Mount } from '../kernel/edge/mount.ts';
import type { Service } from '../kernel/edge/operation.ts';
import type { Random } from '../kernel/model/random.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import { type ChainDeployment, type DevelopmentChain, executorBuilds } from '../swap/index.ts';
import { parseAddress } from '../swap/wire.ts';

/** The development chain as this process offers it: to wallets over HTTP, to the swap service as a chain. */
export type OpenDevchain = {
  readonly mount: Mount;
  readonly chain: DevelopmentChain;
  close(): void;
};

/** Builds the chain until the signal fires. If its packages are not installed, logs that and returns `undefined`. */
export async function openDevchain(options: {
  readonly publicUrl: URL;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
  readonly signal: AbortSignal;
}): Promise<OpenDevchain | undefined> {
  const { logger, metrics, signal } = options;
  const deployments = executorBuilds.map(({ deploymentData }) => deploymentData);
  const rebuilds = metrics.counter({
    name: 'devchain_rebuilds_total',
    help: 'How often the development chain was built again, by what had taken too much.',
    labels: ['reason'],
  });
  const devchain = await startDevchain({
    deployments,
    signal,
    onEnded({ by, message }) {
      rebuilds.inc({ reason: by });
      logger.warn({ reason: by }, `${message} The development chain is being rebuilt.`);
    },
  }).catch((error) => {
    if (!(error instanceof DevchainError)) throw error;
    logger.warn({}, error.message);
    return undefined;
  });
  return devchain && describe(devchain, options);
}

function describe(
  devchain: Devchain,
  { publicUrl, random }: { readonly publicUrl: URL; readonly random: Random },
): OpenDevchain {
  const { deployment } = devchain;
  const path = `/rpc/${deployment.chainId}`;
  const rpcUrl = new URL(path, publicUrl).href;
  const own = markedUrl(rpcUrl, random);
  const app = new Hono<EdgeEnv>();
  app.all(path, (c) => {
    const { isForeignPage, request, caller } = c.get('context');
    const isPage = isForeignPage && !isExtension(request.header('origin'));
    const isOwn = request.header('authorization') === own.authorization;
    return devchain.handleRpc(c.req.raw, {
      isForeignPage: isPage,
      caller: isOwn ? 'this server' : caller.key,
    });
  });
  const account = devchain.accounts[0];
  if (account === undefined) throw new Error('The development chain has no accounts');
  return {
    // The handler answers preflights itself and reads as much as go-ethereum does.
    mount: {
      app,
      paths: { [path]: { origins: 'any', bodyLimit: devchainLimits.body.value, isQuiet: true } },
      service: devchainService,
    },
    chain: {
      deployment: toChainDeployment(deployment, rpcUrl),
      rpcUrl,
      ownUrl: own.url,
      tokens: deployment.tokens.map(({ address }) => parseAddress(address)),
      account: parseAddress(account.address),
    },
    close: () => devchain.close(),
  };
}

/**
 * The URL by which this server itself asks the chain, and the header that it then sends: so its quotes have a share of the
 * calls that wait, which programs on the same machine cannot take. It gives no other right.
 */
function markedUrl(rpcUrl: string, random: Random): { url: string; authorization: string } {
  const mark = Buffer.from(random.bytes(16)).toString('hex');
  const url = new URL(rpcUrl);
  url.username = 'quotes';
  url.password = mark;
  const credentials = Buffer.from(`quotes:${mark}`).toString('base64');
  return { url: url.href, authorization: `Basic ${credentials}` };
}

/** Whether a browser extension sent it, such as a wallet: a person installed it, and no page can send its origin. */
function isExtension(origin = ''): boolean {
  return /^(chrome|moz|safari-web)-extension:\/\//.test(origin);
}

/** The deployment with its addresses branded as the swap service needs them. */
function toChainDeployment(deployment: DevchainDeployment, rpcUrl: string): ChainDeployment {
  const { chainId, name, nativeCurrency, wrappedNative, baseTokens } = deployment;
  const source = 'the development chain of this process';
  return {
    chainId,
    name,
    nativeCurrency,
    wrappedNative: parseAddress(wrappedNative),
    baseTokens: baseTokens.map(parseAddress),
    rpcUrls: [rpcUrl],
    exchanges: deployment.exchanges.map((exchange) => withAddresses({ ...exchange, source })),
    routers: [
      ...deployment.routers.map((router) => ({
        ...router,
        address: parseAddress(router.address),
        source,
      })),
      ...executorBuilds.slice(0, 1).map(({ address }) => ({
        kind: 'tradewind' as const,
        address,
        exchanges: deployment.exchanges.map(({ name }) => name),
        source,
      })),
    ],
    source,
  };
}

/** The exchange with all of its addresses parsed, at any depth. */
function withAddresses(exchange: unknown): ChainDeployment['exchanges'][number] {
  const isAddress = (value: unknown) =>
    typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
  const parse = (value: unknown): unknown => {
    if (isAddress(value)) return parseAddress(value as string);
    if (Array.isArray(value)) return value.map(parse);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, parse(inner)]));
  };
  // The development chain describes its exchanges in the words of the registry.
  return parse(exchange) as ChainDeployment['exchanges'][number];
}

const request = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string().meta({
      examples: ['eth_chainId', 'eth_blockNumber', 'eth_call', 'eth_getBalance', 'eth_estimateGas'],
    }),
    params: z.array(z.unknown()).optional(),
  })
  .meta({ id: 'RpcRequest', description: 'A request of JSON-RPC 2.0, or a list of them.' });

const one = z.looseObject({ jsonrpc: z.literal('2.0') });
const answer = z
  .union([one, z.array(one)])
  .meta({ id: 'RpcAnswer', description: 'A JSON-RPC response, also for an error.' });

/** The development chain for wallets; only a server that this machine alone reaches has it. */
export const devchainService: Service = {
  name: 'Development chain',
  description: 'JSON-RPC of the development chain, which holds nothing of value.',
  error: answer,
  operations: [
    {
      id: 'callDevelopmentChain',
      method: 'POST',
      path: '/rpc/31337',
      summary: 'JSON-RPC of the development chain',
      description: 'Answers the methods that wallets and libraries use.',
      parameters: z.object({}),
      body: { types: ['application/json'], schema: request },
      bodyBytes: devchainLimits.body.value,
      answer: { schema: answer },
      scopes: [],
      errors: {
        400: 'The body is not JSON.',
        403: 'The page may not call this method.',
        405: 'JSON-RPC requests must use POST.',
        413: 'The body is too large.',
        415: 'The body is not JSON.',
        429: 'Too many calls of this caller wait.',
        503: 'Too many calls of all callers wait.',
      },
    },
  ],
};

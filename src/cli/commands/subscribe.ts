import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import { systemClock } from '../../kernel/wait/clock.ts';
import type { Command, CommandInput, Flags } from '../command.ts';
import { followStream, listenOptions, readStreamPart } from '../follow-stream.ts';
import { numberFlag } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import { developmentChainId, findPairTarget, isPair } from '../server/ask-for-quote.ts';
import { signInOptions } from '../server/client-options.ts';
import type { EventsClient } from '../server/events-client.ts';
import {
  findSameSubscription,
  type ListedSubscription,
  subscriptionShape,
} from '../server/list-subscriptions.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { ServerError } from '../server/server-error.ts';
import { serverOf, serverOption } from '../server/server-option.ts';

const pollMs = 1_000;
const priceMoved = 'tradewind.swap.price.v1.moved';

/** `tradewind subscribe`: makes a subscription and, unless events go elsewhere, listens to it. */
export const subscribeCommand: Command = {
  operands: '<target> <event type…> | <token>/<token>',
  description:
    'Without an endpoint, events are printed here as they come. With a pair of tokens, by symbol or address, it subscribes\nto price moves of the pair (tradewind.swap.price.v1.moved). At sign-in it asks for subscriptions.read and\nsubscriptions.write, for targets below //swap/ also for swap.read, and for targets below //folder/\nalso for folders.read, which only the owner can allow. Everything of Chat (//admin.googleapis.com/customers/my_customer) is for\nclients that act for themselves: set TRADEWIND_CLIENT_ID and TRADEWIND_CLIENT_SECRET of one with subscriptions.customer.\n\n  tradewind subscribe //drive.googleapis.com/files/abc google.workspace.drive.file.v3.renamed\n  tradewind subscribe ETH/USDC --threshold-bps 50\n  tradewind subscribe //folder/reports tradewind.folder.file.v1.created --webhook https://example.com/hook',
  options: {
    webhook: { type: 'string', argument: '<url>', help: 'Post the events to this address.' },
    topic: {
      type: 'string',
      argument: '<topic>',
      help: 'Send the events to projects/<p>/topics/<t>.',
    },
    'nats-subject': {
      type: 'string',
      argument: '<subject>',
      help: 'Publish the events on this NATS subject.',
    },
    ttl: {
      type: 'string',
      argument: '<seconds>',
      help: 'How long the subscription lasts. Default: the longest time allowed.',
    },
    'include-resource': {
      type: 'boolean',
      help: 'Events hold the resource and not only what identifies it, for 4 hours at most.',
    },
    'field-mask': {
      type: 'string',
      argument: '<fields>',
      help: 'With --include-resource: these of its fields alone, such as file.id,file.mimeType.',
    },
    chain: { type: 'string', argument: '<id>', help: 'For a pair: its chain. Default: 31337.' },
    amount: {
      type: 'string',
      argument: '<amount>',
      help: 'For a pair: how much is sold, in the smallest unit. Default: one whole token.',
    },
    'threshold-bps': {
      type: 'string',
      argument: '<bps>',
      help: 'For a pair: how far the price must move, in hundredths of a percent. Default: 100.',
    },
    'interval-seconds': {
      type: 'string',
      argument: '<seconds>',
      help: 'For a pair: the shortest time between two events.',
    },
    ...listenOptions,
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print the subscription, and each event, as a line of JSON.' },
  },
  async run(input) {
    const { flags, terminal } = input;
    const { targetResource, eventTypes } = await readTarget(input);
    const notificationEndpoint = readEndpoint(flags);
    const part = readStreamPart(flags);
    const ttl = numberFlag(flags, 'ttl', { least: 0, example: 86_400 });
    const options = { ...readPayloadOptions(flags), ...readSwapOptions(flags) };
    const wanted = { targetResource, eventTypes, notificationEndpoint, ...options };
    const client = await openEventsClient(input, scopeFor(targetResource));
    const { subscription, isNew } = await create(client, {
      ...wanted,
      ...(ttl === undefined ? {} : { ttl: `${ttl}s` }),
    }).then<Outcome, Outcome>(
      (created) => ({ subscription: created, isNew: true }),
      async (error) => ({
        subscription: await findSameSubscription(client, wanted, error),
        isNew: false,
      }),
    );
    const { name, expireTime } = subscription;
    const told = isNew ? 'Subscribed' : 'You are subscribed already,';
    terminal.stdout.write(
      flags.json
        ? `${JSON.stringify(subscription)}\n`
        : `${plainText(`${told} as ${name}, until ${expireTime}.`)}\n`,
    );
    const secret = subscription.notificationEndpoint?.webhook?.signingSecret;
    if (secret !== undefined && !flags.json) {
      terminal.stdout.write(`Signing secret, shown only now: ${secret}\n`);
    }
    if ('eventStream' in notificationEndpoint) {
      await followStream(client, { path: `/v1/${name}:listen`, ...part }, input);
    }
    return 0;
  },
};

/** The target and its event types. A pair such as `ETH/USDC` becomes its resource; its default event is a moved price. */
async function readTarget(input: CommandInput) {
  const [target, ...eventTypes] = input.operands;
  if (target !== undefined && isPair(target)) {
    const chainId = String(input.flags.chain ?? developmentChainId);
    const targetResource = await findPairTarget(serverOf(input), { word: target, chainId });
    return { targetResource, eventTypes: eventTypes.length === 0 ? [priceMoved] : eventTypes };
  }
  if (target === undefined || eventTypes.length === 0) {
    throw new UsageError(
      'Name a target and at least one event type, as in: tradewind subscribe //drive.googleapis.com/files/abc google.workspace.drive.file.v3.renamed.',
    );
  }
  return { targetResource: target, eventTypes };
}

/** Every scope that the command needs, so that one consent is enough. Pairs and folders also need their read scope. */
function scopeFor(targetResource: string): string {
  const scope = 'subscriptions.read subscriptions.write';
  if (targetResource.startsWith('//swap/')) return `${scope} swap.read`;
  return targetResource.startsWith('//folder/') ? `${scope} folders.read` : scope;
}

type Outcome = { readonly subscription: ListedSubscription; readonly isNew: boolean };

/** Creates the subscription and waits for the operation, which is done at once unless the endpoint is slow. */
async function create(client: EventsClient, body: object): Promise<ListedSubscription> {
  let operation = await client.request<Operation>('POST', '/v1/subscriptions', shape, { body });
  while (!operation.done) {
    await systemClock.sleep(pollMs);
    operation = await client.request<Operation>('GET', `/v1/${operation.name}`, shape);
  }
  if (operation.response === undefined) {
    const reason = plainText(operation.error?.message ?? 'the server does not say why');
    throw new ServerError('OPERATION_FAILED', `The subscription could not be created: ${reason}`);
  }
  return operation.response;
}

/** The response of this operation is a subscription. The declaration shared by all operations leaves its type open. */
type Operation = EventsAnswers['subscriptions']['create'] & {
  readonly response?: ListedSubscription;
};

const shape = {
  name: z.string(),
  done: z.boolean().optional(),
  response: subscriptionShape.optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
};

function readEndpoint(flags: Flags): Readonly<Record<string, unknown>> {
  const given = [
    ...(flags.webhook === undefined ? [] : [{ webhook: { uri: flags.webhook } }]),
    ...(flags.topic === undefined ? [] : [{ pubsubTopic: flags.topic }]),
    ...(flags['nats-subject'] === undefined ? [] : [{ natsSubject: flags['nats-subject'] }]),
  ];
  if (given.length > 1) {
    throw new UsageError(
      'A subscription has one endpoint: give one of --webhook, --topic, --nats-subject.',
    );
  }
  return given[0] ?? { eventStream: {} };
}

function readPayloadOptions(flags: Flags): { readonly payloadOptions?: object } {
  const { 'include-resource': includesResource, 'field-mask': fieldMask } = flags;
  if (fieldMask !== undefined && !includesResource) {
    throw new UsageError('--field-mask narrows the resource: give it with --include-resource.');
  }
  return includesResource ? { payloadOptions: { includeResource: true, fieldMask } } : {};
}

function readSwapOptions(flags: Flags): object {
  const given = {
    amount: flags.amount,
    thresholdBps: numberFlag(flags, 'threshold-bps', { least: 0 }),
    intervalSeconds: numberFlag(flags, 'interval-seconds', { least: 0 }),
  };
  return Object.values(given).every((value) => value === undefined) ? {} : { swapOptions: given };
}

import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import { count } from '../../kernel/text/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { confirmAtTerminal, yesOption } from '../input/confirm.ts';
import { checkOperands, numberFlag, toSubscriptionName } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainLines, plainText } from '../plain-text.ts';
import { signInOptions } from '../server/client-options.ts';
import type { EventsClient } from '../server/events-client.ts';
import {
  type ListedSubscription,
  listSubscriptions,
  subscriptionShape,
} from '../server/list-subscriptions.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind subscriptions`: lists and changes the caller's subscriptions, replays events and rotates secrets. */
export const subscriptionsCommand: Command = {
  operands:
    'list [<event type…>] | show <name> | renew <name> | reactivate <name> | delete <name> | replay <name> | rotate-secret <name>',
  description:
    'Lists the subscriptions that you made with this program: all of them, or those with any of the given event types.\nThe console shows those that you made with other programs, too. At sign-in it asks for subscriptions.read, and for\nchanges also for subscriptions.write.\n\n  tradewind subscriptions list\n  tradewind subscriptions list google.workspace.drive.file.v3.renamed\n  tradewind subscriptions show subscriptions/4f1c…\n  tradewind subscriptions replay subscriptions/4f1c… --start 2026-01-31T08:00:00Z\n  tradewind subscriptions rotate-secret subscriptions/4f1c… --overlap 3600',
  options: {
    start: { type: 'string', argument: '<time>', help: 'For replay: events from this time on.' },
    end: { type: 'string', argument: '<time>', help: 'For replay: events until this time.' },
    events: {
      type: 'string',
      argument: '<ids>',
      help: 'For replay: these events, separated by commas.',
    },
    types: {
      type: 'string',
      argument: '<types>',
      help: 'For replay: these types, separated by commas.',
    },
    overlap: {
      type: 'string',
      argument: '<seconds>',
      help: 'For rotate-secret: how long deliveries are also signed with the old secret. Default: 86400, a day.',
    },
    server: serverOption,
    ...signInOptions,
    yes: yesOption,
    json: { type: 'boolean', help: 'Print as JSON.' },
  },
  async run(input) {
    const [action = '', ...names] = input.operands;
    const found = actions.get(action);
    if (found === undefined) {
      throw new UsageError(
        'Say what to do: subscriptions list, show <name>, renew <name>, reactivate <name>, delete <name>, replay <name>, or rotate-secret <name>.',
      );
    }
    if (action !== 'list') checkOperands(`subscriptions ${action}`, ['<name>'], names);
    const client = await openEventsClient(input, found.scope);
    const outcome = await found.run(client, names, input);
    if (outcome === undefined) return 1;
    const { answer, text } = outcome;
    input.terminal.stdout.write(input.flags.json ? `${JSON.stringify(answer)}\n` : text);
    return 0;
  },
};

type Action = {
  readonly scope: string;
  /** Returns `undefined` if the person declines. */
  run(
    client: EventsClient,
    names: readonly string[],
    input: CommandInput,
  ): Promise<{ readonly answer: unknown; readonly text: string } | undefined>;
};

type Operation = EventsAnswers['subscriptions']['delete'];

const operationShape = { done: z.boolean() };
const rotatedShape = { signingSecret: z.string(), previousExpireTime: z.string() };

const [reading, writing] = ['subscriptions.read', 'subscriptions.read subscriptions.write'];

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'list',
    {
      scope: reading,
      async run(client, types) {
        const subscriptions = await listSubscriptions(client, types);
        const lines = subscriptions.map(
          ({ name, state, targetResource, expireTime }) =>
            `${name}  ${String(state).toLowerCase().padEnd(9)}  until ${expireTime}  ${plainText(targetResource)}\n`,
        );
        const none =
          types.length === 0
            ? 'No subscriptions made with this program: create one with tradewind subscribe. The console shows those of your other programs.\n'
            : 'No subscriptions with these types.\n';
        return { answer: { subscriptions }, text: lines.join('') || none };
      },
    },
  ],
  [
    'show',
    {
      scope: reading,
      async run(client, [name = '']) {
        const path = `/v1/${toSubscriptionName(name)}`;
        const answer = await client.request<ListedSubscription>(
          'GET',
          path,
          subscriptionShape.shape,
        );
        return { answer, text: `${plainLines(JSON.stringify(answer, undefined, 2))}\n` };
      },
    },
  ],
  [
    'renew',
    {
      scope: writing,
      run: async (client, [name = '']) => change(client, name, 'renew'),
    },
  ],
  [
    'reactivate',
    {
      scope: writing,
      run: async (client, [name = '']) => change(client, name, 'reactivate'),
    },
  ],
  [
    'delete',
    {
      scope: writing,
      async run(client, [given = ''], input) {
        const name = toSubscriptionName(given);
        const effects = `This deletes ${name} and the events that wait for delivery to it. It cannot be undone.`;
        if (!(await confirmAtTerminal(input, effects))) return undefined;
        const answer = await client.request<Operation>('DELETE', `/v1/${name}`, operationShape);
        return { answer, text: `Deleted ${plainText(name)}.\n` };
      },
    },
  ],
  [
    'replay',
    {
      scope: writing,
      async run(client, [name = ''], { flags }) {
        const list = (flag: string) =>
          flags[flag] === undefined ? undefined : String(flags[flag]).split(',');
        const body = {
          eventIds: list('events'),
          eventTypes: list('types'),
          startTime: flags.start,
          endTime: flags.end,
        };
        const path = `/v1/${toSubscriptionName(name)}:replay`;
        const answer = await client.request<EventsAnswers['deliveries']['replay']>(
          'POST',
          path,
          { replayed: z.number() },
          { body },
        );
        const text =
          answer.replayed === 0
            ? 'Nothing was queued: no delivered event matches, or the matching events already wait for delivery.\n'
            : `Queued to be sent again: ${count(answer.replayed, 'event')}.\n`;
        return { answer, text };
      },
    },
  ],
  [
    'rotate-secret',
    {
      scope: writing,
      async run(client, [name = ''], { flags }) {
        const overlap = numberFlag(flags, 'overlap', { least: 0, example: 3_600 });
        const body = overlap === undefined ? {} : { overlap: `${overlap}s` };
        const path = `/v1/${toSubscriptionName(name)}:rotateSecret`;
        const answer = await client.request<EventsAnswers['rotateSecret']>(
          'POST',
          path,
          rotatedShape,
          { body },
        );
        const text = `Signing secret, shown only now: ${answer.signingSecret}\nDeliveries are also signed with the old one until ${answer.previousExpireTime}.\n`;
        return { answer, text };
      },
    },
  ],
]);

/** Renews or reactivates a subscription, and returns its new state. */
async function change(client: EventsClient, name: string, verb: 'renew' | 'reactivate') {
  const path = `/v1/monitor/${toSubscriptionName(name)}:${verb}`;
  const { subscription } = await client.request<EventsAnswers['monitor'][typeof verb]>(
    'POST',
    path,
    { subscription: subscriptionShape },
    { body: {} },
  );
  const { name: full, state, expireTime } = subscription;
  const text = `${plainText(`${full} is ${String(state).toLowerCase()}, until ${expireTime}.`)}\n`;
  return { answer: subscription, text };
}

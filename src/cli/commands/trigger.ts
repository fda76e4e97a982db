import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import type { Command } from '../command.ts';
import { toSubscriptionName } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import { signInOptions } from '../server/client-options.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { publishEvent } from '../server/publish-event.ts';
import { ServerError } from '../server/server-error.ts';
import { serverOption } from '../server/server-option.ts';

type Answers = EventsAnswers['monitor'];

const sentShape = { eventId: z.string() };
const sampleShape = {
  publishable: z.boolean(),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
};

/** `tradewind trigger`: publishes a sample of an event type, or sends one to a single subscription. */
export const triggerCommand: Command = {
  operands: '<event type>',
  description:
    'Publishes a sample of an event type in the catalogue, or sends one to a single subscription. The latter also works\nfor types that only the server publishes. At sign-in it asks for subscriptions.read and events.publish, or, with\n--subscription, for subscriptions.read and subscriptions.write.\n\n  tradewind trigger google.workspace.drive.file.v3.renamed --target //drive.googleapis.com/files/abc\n  tradewind trigger tradewind.swap.price.v1.moved --subscription subscriptions/4f1c…',
  options: {
    target: {
      type: 'string',
      argument: '<target>',
      help: 'The subject of the event. Default: a made-up resource of the application.',
    },
    subscription: {
      type: 'string',
      argument: '<name>',
      help: 'Send it only to this subscription.',
    },
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print the event as JSON.' },
  },
  async run(input) {
    const { operands, flags, terminal } = input;
    const [type, ...rest] = operands;
    if (type === undefined || rest.length > 0) {
      throw new UsageError('Name one event type: tradewind trigger <event type>.');
    }
    if (flags.subscription !== undefined) {
      const client = await openEventsClient(input, 'subscriptions.read subscriptions.write');
      const name = toSubscriptionName(String(flags.subscription));
      const body = { eventType: type };
      const path = `/v1/monitor/${name}:sendTestEvent`;
      const sent = await client.request<Answers['sendTestEvent']>('POST', path, sentShape, {
        body,
      });
      terminal.stdout.write(
        flags.json
          ? `${JSON.stringify(sent)}\n`
          : `Sent to ${plainText(name)}: ${plainText(sent.eventId)}\n`,
      );
      return 0;
    }
    const client = await openEventsClient(input, 'events.publish subscriptions.read');
    const target = flags.target === undefined ? {} : { target: String(flags.target) };
    const query = { type, ...target };
    const path = '/v1/monitor/sample';
    const sample = await client.request<Answers['getSample']>('GET', path, sampleShape, { query });
    if (!sample.publishable) throw notPublishable(type);
    const { subject, data } = sample;
    const { event } = await publishEvent(client, { type, subject, data });
    terminal.stdout.write(
      flags.json
        ? `${JSON.stringify(event)}\n`
        : `Published on ${plainText(subject)}: ${event.id}\n`,
    );
    return 0;
  },
};

function notPublishable(type: string): ServerError {
  return new ServerError(
    'NOT_PUBLISHABLE',
    `Only the server publishes ${plainText(type)}: send a sample to one of your subscriptions with --subscription <name>.`,
  );
}

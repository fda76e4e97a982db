import type { Command } from '../command.ts';
import { parseJsonObject } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { signInOptions } from '../server/client-options.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { publishEvent } from '../server/publish-event.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind publish`: publishes one event to a server. */
export const publishCommand: Command = {
  operands: '<event type> <subject> <data>',
  description:
    'Publishes an event of an application in the catalogue. The data is a JSON object. At sign-in it asks\nfor events.publish.\n\n  tradewind publish crm.deal.v1.won //crm/deals/17 \'{"deal": {"name": "deals/17"}}\'',
  options: {
    id: {
      type: 'string',
      argument: '<id>',
      help: 'The id of the event; a second event with the same id is dropped. Default: a new one.',
    },
    source: {
      type: 'string',
      argument: '<uri>',
      help: 'The source of the event. Default: the subject.',
    },
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print the answer as JSON.' },
  },
  async run(input) {
    const { operands, flags, terminal } = input;
    const [type, subject, text, ...rest] = operands;
    if (type === undefined || subject === undefined || text === undefined || rest.length > 0) {
      throw new UsageError(
        'Give a type, a subject and the data as JSON, as in: tradewind publish crm.deal.v1.won //crm/deals/17 \'{"deal": {"name": "deals/17"}}\'.',
      );
    }
    const data = readData(text);
    const client = await openEventsClient(input, 'events.publish');
    const { event, answer } = await publishEvent(client, {
      ...{ type, subject, data },
      ...(flags.id === undefined ? {} : { id: String(flags.id) }),
      ...(flags.source === undefined ? {} : { source: String(flags.source) }),
    });
    terminal.stdout.write(
      flags.json
        ? `${JSON.stringify(answer)}\n`
        : `${answer.accepted === 1 ? 'Published' : 'Already published'}: ${event.id}\n`,
    );
    return 0;
  },
};

function readData(text: string): object {
  const data = parseJsonObject(text);
  if (data !== undefined) return data;
  throw new UsageError(
    `The data ${JSON.stringify(text)} is not a JSON object, such as '{"deal": {}}'.`,
  );
}

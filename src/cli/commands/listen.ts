import type { Command } from '../command.ts';
import { followStream, listenOptions, readStreamPart } from '../follow-stream.ts';
import { toSubscriptionName } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { signInOptions } from '../server/client-options.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind listen`: the events of a subscription or topic as they come. */
export const listenCommand: Command = {
  operands: '<subscription or topic>',
  description:
    'Prints events as they come, and resumes after a lost connection.\nStop it with Ctrl+C. At sign-in it asks for subscriptions.read.\n\n  tradewind listen subscriptions/4f1c…\n  tradewind listen projects/p/topics/t --json\n  tradewind listen subscriptions/4f1c… --forward-to http://localhost:3000/hook',
  options: {
    ...listenOptions,
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print each event as one line of JSON.' },
  },
  async run(input) {
    const [name, ...rest] = input.operands;
    if (name === undefined || name.startsWith('/') || rest.length > 0) {
      throw new UsageError('Name one subscription or topic: tradewind listen subscriptions/<id>.');
    }
    const part = readStreamPart(input.flags);
    const client = await openEventsClient(input, 'subscriptions.read');
    const path = `/v1/${toSubscriptionName(name)}:listen`;
    await followStream(client, { path, ...part }, input);
    return 0;
  },
};

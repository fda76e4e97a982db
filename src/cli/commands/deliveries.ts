import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import type { Command } from '../command.ts';
import { numberFlag } from '../input/number-flag.ts';
import { toSubscriptionName } from '../input/to-subscription-name.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import { attemptShape, renderAttempt } from '../render/attempt.ts';
import { signInOptions } from '../server/client-options.ts';
import { serverOption } from '../server/server-option.ts';
import { openEventsClient } from '../server/subscriptions/open-events-client.ts';

/** `tradewind deliveries`: what was sent to a subscription and what came back, the newest first. */
export const deliveriesCommand: Command = {
  operands: '<subscription>',
  description:
    'Shows delivery attempts, the newest first: status and duration, and with --bodies the request and the first\n4 KB of the response. At sign-in it asks for subscriptions.read.\n\n  tradewind deliveries subscriptions/4f1c…\n  tradewind deliveries 4f1c… --limit 1 --json',
  options: {
    limit: {
      type: 'string',
      argument: '<n>',
      help: 'How many attempts, at most 100. Default: 20.',
    },
    bodies: { type: 'boolean', help: 'Also print requests and responses.' },
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print as JSON, always with requests and responses.' },
  },
  async run(input) {
    const { operands, flags, terminal } = input;
    const [name, ...rest] = operands;
    if (name === undefined || rest.length > 0) {
      throw new UsageError('Name one subscription: tradewind deliveries subscriptions/<id>.');
    }
    const pageSize = numberFlag(flags, 'limit', { least: 1, most: 100 }) ?? 20;
    const client = await openEventsClient(input, 'subscriptions.read');
    const path = `/v1/monitor/${toSubscriptionName(name)}/attempts`;
    const query = { pageSize: String(pageSize) };
    const { attempts } = await client.request<EventsAnswers['monitor']['listAttempts']>(
      'GET',
      path,
      { attempts: z.array(attemptShape) },
      { query },
    );
    if (flags.json) {
      terminal.stdout.write(`${JSON.stringify({ attempts })}\n`);
      return 0;
    }
    const hasBodies = flags.bodies === true;
    const none = `Nothing was sent yet: try it with tradewind trigger <event type> --subscription ${plainText(name)}\n`;
    terminal.stdout.write(
      attempts.map((one) => renderAttempt(one, { hasBodies })).join('') || none,
    );
    return 0;
  },
};

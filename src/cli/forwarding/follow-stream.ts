import { z } from 'zod';
import { orAborted } from '../../kernel/cancel/or-aborted.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { parseJson } from '../../kernel/text/parse-json.ts';
import { systemClock } from '../../kernel/time/clock.ts';
import type { CommandInput, Flags, Stream, Terminal } from '../command.ts';
import { numberFlag } from '../input/number-flag.ts';
import { plainText } from '../plain-text.ts';
import { renderEvent } from '../render/event.ts';
import { hasColours } from '../render/has-colours.ts';
import { ServerError } from '../server/server-error.ts';
import type { EventsClient } from '../server/subscriptions/create-events-client.ts';
import { type Forward, forwardTo } from './forward-event.ts';
import { forwardSecret } from './forward-secret.ts';

const eventSchema = z.record(z.string(), z.unknown());

/** The flags of commands that listen. */
export const listenOptions = {
  since: {
    type: 'string',
    argument: '<event id>',
    help: 'Continue after this event of the stream, instead of with the next new one.',
  },
  count: { type: 'string', argument: '<n>', help: 'Stop after this number of events.' },
  'forward-to': {
    type: 'string',
    argument: '<url>',
    help: 'Also post each event to this address, signed like a webhook.',
  },
  'forward-secret': {
    type: 'string',
    argument: '<secret>',
    help: 'The secret to sign with. Default: a secret that is made once and kept.',
  },
} as const;

/** Where in a stream to begin, and after how many events to end. */
export type StreamPart = { readonly since: string | undefined; readonly count: number };

/** Reads the flags of {@link listenOptions}. Throws `UsageError` for an invalid count. */
export function readStreamPart(flags: Flags): StreamPart {
  return {
    since: flags.since === undefined ? undefined : String(flags.since),
    count: numberFlag(flags, 'count', { least: 1 }) ?? Number.POSITIVE_INFINITY,
  };
}

const pauseMs = 1_000;
const mostWaiting = 2 ** 20;
const passing = ['SERVER_UNREACHABLE', 'NOT_READY', 'UNAVAILABLE'];

/**
 * Prints the events of a stream as they arrive, until somebody ends it. After a lost connection it resumes
 * right after the last event, so that nothing is missed. With `--json` each event is a line. Throws any
 * failure of the first connection; later it retries temporary failures and throws the others.
 */
export async function followStream(
  client: EventsClient,
  { path, since, count }: StreamPart & { readonly path: string },
  { flags, terminal }: CommandInput,
): Promise<void> {
  const { stdout, stderr, environment } = terminal;
  const isColoured = hasColours(stdout, environment);
  const forward = await openForward(flags, terminal);
  const ending = new AbortController();
  terminal.onTerminate(() => ending.abort());
  const { signal } = ending;
  // Only a person needs to see that the command waits.
  if (stderr.isTTY) stderr.write('Waiting for events; press Ctrl+C to stop.\n');
  let left = count;
  let lastEventId = since;
  let wasConnected = false;
  let isLost = false;
  while (!signal.aborted) {
    try {
      for await (const { id, data } of client.listen(path, { lastEventId, signal })) {
        lastEventId = id;
        isLost = false;
        const event = readEvent(data);
        // JSON has line breaks only between its tokens, so a space can replace them.
        if (flags.json) stdout.write(`${data.replaceAll('\n', ' ')}\n`);
        else stdout.draw(renderEvent(event, { isColoured }));
        if (forward !== undefined) {
          const said = plainText(await forward(event, signal));
          (flags.json ? stderr : stdout).write(`${said}\n`);
        }
        left -= 1;
        if (left === 0) return ending.abort();
        await whenRead(stdout, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof DomainError;
      if (isRefused && !(wasConnected && isTemporary(error))) throw error;
      if (!isLost) stderr.write('The connection was lost; trying again.\n');
      isLost = true;
    }
    wasConnected = true;
    await systemClock.sleep(pauseMs, signal);
  }
}

/** A restarting server is first unreachable, then not ready; a proxy in front of it may answer in a form of its own. */
function isTemporary({ code, details }: DomainError): boolean {
  return passing.includes(code) || Number(details?.status) >= 500;
}

/** Throws {@link ServerError} if the data is not an event: a retry would not change that. */
function readEvent(data: string): z.output<typeof eventSchema> {
  try {
    return eventSchema.parse(parseJson(data));
  } catch (cause) {
    throw new ServerError(
      'NOT_A_TRADEWIND',
      `The stream sent ${JSON.stringify(plainText(data))}, which is not an event in JSON: name a Tradewind server with --server.`,
      { cause },
    );
  }
}

/** Waits for a slow reader, so that unread events stay at the server. */
async function whenRead(stream: Stream, signal: AbortSignal): Promise<void> {
  if ((stream.writableLength ?? 0) <= mostWaiting) return;
  await orAborted(new Promise<void>((resolve) => stream.write('', resolve)), signal);
}

/** Opens the forwarding that `--forward-to` asks for, and prints its secret once, to stderr. */
async function openForward(
  flags: Flags,
  { environment, stderr }: Terminal,
): Promise<Forward | undefined> {
  const address = flags['forward-to'];
  if (address === undefined) return undefined;
  const given = flags['forward-secret'] === undefined ? undefined : String(flags['forward-secret']);
  const secret = await forwardSecret(given, environment);
  const forward = forwardTo(String(address), { secret });
  stderr.write(`Forwarding to ${plainText(String(address))}, signed with ${secret}\n`);
  return forward;
}

import type { CommandInput, Flags } from './command.ts';
import type { EventsClient } from './create-events-client.ts';
import { hasColours } from './has-colours.ts';
import { renderEvent } from './render/event.ts';
import { ServerError } from './server-error.ts';
import { UsageError } from './usage-error.ts';

/** The flags of commands that listen. */
export const listenOptions = {
  since: {
    type: 'string',
    argument: '<event id>',
    help: 'Go on right after this event of the stream, instead of with what comes.',
  },
  count: { type: 'string', argument: '<n>', help: 'End after so many events.' },
} as const;

const pauseMs = 1_000;

/**
 * Prints the events of a stream as they come, until somebody ends it. A lost connection is taken up
 * again right after the last event, so that nothing is missed. With `--json` each event is a line.
 */
export async function followStream(
  client: EventsClient,
  path: string,
  { flags, terminal }: CommandInput,
): Promise<void> {
  const { stdout, stderr, environment } = terminal;
  const isColoured = hasColours(stdout, environment);
  const ending = new AbortController();
  terminal.onTerminate(() => ending.abort());
  let left = readCount(flags.count);
  let lastEventId = flags.since === undefined ? undefined : String(flags.since);
  while (!ending.signal.aborted && left > 0) {
    try {
      for await (const event of client.listen(path, { lastEventId, signal: ending.signal })) {
        lastEventId = event.id;
        const parsed = JSON.parse(event.data);
        stdout.write(flags.json ? `${event.data}\n` : renderEvent(parsed, { isColoured }));
        left -= 1;
        if (left <= 0) ending.abort();
        if (ending.signal.aborted) return;
      }
    } catch (error) {
      if (ending.signal.aborted) return;
      // What the server refuses will be refused again; a lost connection comes back.
      if (error instanceof ServerError && error.code !== 'SERVER_UNREACHABLE') throw error;
      if (lastEventId === undefined && error instanceof ServerError) throw error;
      stderr.write('The connection was lost; trying again.\n');
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function readCount(given: Flags[string]): number {
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d*$/.test(String(given))) return Number(given);
  throw new UsageError(`--count ${given} is no number of events: write it as in --count 1.`);
}

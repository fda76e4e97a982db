import type { Reading } from './reading.ts';
import type { SoakReport } from './soak-report.ts';

/** Of these there are as many at the end as at the beginning, however much was done meanwhile. */
const resources = [
  'AbortController',
  'AbortSignal',
  'EventEmitter',
  'FSReqCallback',
  'Immediate',
  'IncomingMessage',
  'Listener',
  'Map',
  'MessagePort',
  'Promise',
  'ReadableStream',
  'Request',
  'Response',
  'ServerResponse',
  'Set',
  'Socket',
  'Timeout',
  'TransformStream',
  'WeakRef',
  'WritableStream',
] as const;

/** What caches that are not full yet may add: clients, tokens and prices that were new. */
const heapShare = 0.1;

/** What a server holds more of than before, in words; nothing where it ends as it began (N12). */
export function findGrowth({ before, after, rounds }: SoakReport): string[] {
  // What is left behind once in each round of any part grows by all of them; connections come and go.
  const tolerance = Math.floor(Math.min(...Object.values(rounds)) / 2);
  const compare = (name: string, read: (reading: Reading) => number) =>
    read(after) - read(before) > tolerance ? [`${name}: ${read(before)}, then ${read(after)}`] : [];
  const kinds = new Set([...Object.keys(before.handles), ...Object.keys(after.handles)]);
  return [
    ...resources.flatMap((name) => compare(name, ({ classes }) => classes[name] ?? 0)),
    ...[...kinds].flatMap((kind) => compare(`handle ${kind}`, ({ handles }) => handles[kind] ?? 0)),
    ...compare('files and sockets', ({ descriptors = 0 }) => descriptors),
    ...(after.heapBytes > before.heapBytes * (1 + heapShare)
      ? [`bytes of heap: ${before.heapBytes}, then ${after.heapBytes}`]
      : []),
  ];
}

import type { Reading } from './reading.ts';
import type { SoakReport } from './soak-report.ts';

/** Classes whose number of objects must not grow, however much work was done. */
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

/** How much the heap may grow by caches that are not full yet: new clients, tokens and prices. */
const heapShare = 0.1;

/** Describes what a server holds more of than before; empty if nothing has grown (N12). */
export function findGrowth({ before, after, rounds }: SoakReport): string[] {
  // A leak of one object in each round of any part exceeds this tolerance, while connections may come and go.
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

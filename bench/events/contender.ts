import { createHmac, createSecretKey } from 'node:crypto';

/** The task of a contender, as JSON in its first argument. */
export type Task = {
  readonly sink: string;
  readonly deliveries: number;
  readonly subscriptions: number;
  readonly mode: 'STRUCTURED' | 'BATCH';
  /** The contender's store: a directory, a URL or a port. */
  readonly store: string;
};

/** What a contender measured, as JSON on its standard output. */
export type Outcome = {
  readonly enqueuedPerSecond?: number;
  readonly deliveredPerSecond: number;
  /** Of the contender's process alone: a database in another process is not counted. */
  readonly cpuMsPerDelivery: number;
  /** Of its main thread. The rest is mostly the compiler, which hardly matters in a longer run. */
  readonly threadMsPerDelivery: number;
  readonly rssMb: number;
};

/** Quantiles of the time from publication to its answer or to its receipt, in milliseconds. */
export type LatencyOutcome = {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly cpuMsPerEvent: number;
  readonly rssMb: number;
};

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

export function readTask(): Task {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Measures the delivery of all events and prints the outcome. */
export async function tellOutcome(
  task: Task,
  { deliver, enqueuedPerSecond }: { deliver(): Promise<void>; enqueuedPerSecond?: number },
): Promise<void> {
  const cpu = process.cpuUsage();
  const thread = process.threadCpuUsage();
  const startedAt = performance.now();
  await deliver();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const ownThread = process.threadCpuUsage(thread);
  const outcome: Outcome = {
    ...(enqueuedPerSecond === undefined ? {} : { enqueuedPerSecond }),
    deliveredPerSecond: task.deliveries / seconds,
    cpuMsPerDelivery: (user + system) / 1_000 / task.deliveries,
    threadMsPerDelivery: (ownThread.user + ownThread.system) / 1_000 / task.deliveries,
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
  };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}

/** About 330 bytes, as a structured CloudEvent. */
export function eventOf(n: number): string {
  return JSON.stringify({
    specversion: '1.0',
    id: `event-${n}`,
    source: '//events.local/subscriptions/abc',
    type: 'shop.order.v1.created',
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    subject: `//shop/orders/${n}`,
    data: { order: { name: `orders/${n}`, note: 'x'.repeat(120) } },
  });
}

const key = createSecretKey(Buffer.alloc(32, 7));

/** The headers of Standard Webhooks: every contender pays for the signature. */
export function signedHeaders(id: string, body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/cloudevents+json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

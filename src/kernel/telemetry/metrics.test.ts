import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const buckets = [0.001, 0.5, 1, 10];

it('writes a histogram exactly as prom-client does [T5]', async () => {
  const metrics = createMetrics();
  const labels = ['method', 'status'] as const;
  const options = { name: 'waits_seconds', help: 'How long callers wait.', labels, buckets };
  const ours = metrics.histogram(options);
  const registry = new Registry();
  const theirs = new Histogram({
    ...options,
    name: 'tradewind_waits_seconds',
    labelNames: labels,
    buckets: [...buckets],
    registers: [registry],
  });
  const observed: Array<[string, number, number]> = [
    ['GET', 200, 0],
    ['GET', 200, 0.001],
    ['GET', 404, 0.5000001],
    ['POST', 200, 10],
    ['POST', 200, 10.5],
    ['a "quoted" \\ one\nin two lines', 500, 0.25],
    ['GET', 200, 0.3],
  ];
  for (const [method, status, value] of observed) {
    ours.series({ method, status }).observe(value);
    theirs.observe({ method, status }, value);
  }
  expect((await metrics.expose()).body).toBe(await registry.metrics());
});

it('writes a histogram without labels beside the other metrics [T5]', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'tries_total', help: 'Tries.' }).inc();
  metrics.histogram({ name: 'waits_seconds', help: 'Waits.', buckets }).series({}).observe(2);
  const { body } = await metrics.expose();
  expect(body).toContain('tradewind_tries_total 1\n\n# HELP tradewind_waits_seconds Waits.\n');
  expect(body).toContain('tradewind_waits_seconds_bucket{le="1"} 0\n');
  expect(body).toMatch(/tradewind_waits_seconds_sum 2\ntradewind_waits_seconds_count 1\n$/);
});

it('keeps all observations of the same labels in one series [T5]', async () => {
  const metrics = createMetrics();
  const waits = metrics.histogram({ name: 'w', help: 'W.', labels: ['kind'], buckets });
  expect(waits.series({ kind: 'read' })).toBe(waits.series({ kind: 'read' }));
  expect(waits.series({ kind: 'read' })).not.toBe(waits.series({ kind: 'write' }));
});

it('counts labels beyond a thousand combinations together [F76]', async () => {
  const metrics = createMetrics();
  const names = { help: 'H.', labels: ['a', 'b'] } as const;
  const counter = metrics.counter({ ...names, name: 'c_total' });
  const histogram = metrics.histogram({ ...names, name: 'h', buckets: [1] });
  const linesWith = async (text: string) =>
    (await metrics.expose()).body.split('\n').filter((line) => line.includes(text));
  for (let index = 0; index < 1_500; index++) {
    counter.inc({ a: index, b: 'x' });
    histogram.series({ a: 'x', b: index }).observe(0);
  }
  counter.inc({ a: 7, b: 'x' });
  histogram.series({ a: 'x', b: 7 }).observe(0);
  expect(await linesWith('tradewind_c_total{')).toHaveLength(1_001);
  expect(await linesWith('tradewind_h_count{')).toHaveLength(1_001);
  expect(await linesWith('a="7",b="x"')).toEqual(['tradewind_c_total{a="7",b="x"} 2']);
  expect(await linesWith('count{a="x",b="7"}')).toEqual(['tradewind_h_count{a="x",b="7"} 2']);
  expect(await linesWith('total{a="other",b="other"}')).toEqual([
    'tradewind_c_total{a="other",b="other"} 500',
  ]);
  expect(await linesWith('count{a="other",b="other"}')).toEqual([
    'tradewind_h_count{a="other",b="other"} 500',
  ]);
});

import { describe, expect, test } from 'vitest';
import type { EndpointRecord, ProbeOutcome } from './endpoint-record.ts';
import { recordOutcome } from './record-outcome.ts';

const untried = {
  url: 'https://a.example',
  origin: 'registry',
  verdict: 'untried',
  errorRate: 0,
} as const;
const failure = { answered: false, reason: 'timed-out' } as const;

describe('the record of an endpoint [Q9]', () => {
  test('takes the first answer as it is', () => {
    expect(recordOutcome(untried, answer(120))).toEqual({
      ...untried,
      verdict: 'answering',
      latencyMs: 120,
      headAgeMs: 3_000,
    });
  });

  test('averages latency with more weight on the latest', () => {
    expect(after(answer(100), answer(200)).latencyMs).toBe(120);
    expect(after(answer(100), answer(200), answer(200)).latencyMs).toBe(136);
  });

  test('keeps what was measured when a probe fails, and forgets failures in time', () => {
    const once = after(answer(100), failure);
    expect(once).toMatchObject({ verdict: 'failing', errorRate: 0.2, latencyMs: 100 });
    expect(after(answer(100), failure, failure).errorRate).toBeCloseTo(0.36);
    const mended = after(answer(100), failure, ...Array(20).fill(answer(100)));
    expect(mended.errorRate).toBeLessThan(0.01);
    expect(mended.verdict).toBe('answering');
  });

  test('tells an endpoint of another chain from one that fails', () => {
    expect(after({ answered: false, reason: 'wrong-chain' }).verdict).toBe('wrong-chain');
    expect(after({ answered: false, reason: 'wrong-chain' }, answer(1)).verdict).toBe('answering');
  });
});

function after(...outcomes: readonly ProbeOutcome[]): EndpointRecord {
  return outcomes.reduce<EndpointRecord>(recordOutcome, untried);
}

function answer(latencyMs: number): ProbeOutcome {
  return { answered: true, latencyMs, headAgeMs: 3_000 };
}

import { describe, expect, test } from 'vitest';
import {
  type EndpointRecord,
  type ProbeOutcome,
  rankEndpoints,
  recordOutcome,
} from './rank-endpoints.ts';

describe('the ranking of endpoints [Q9]', () => {
  test('puts the quickest answer first', () => {
    expect(
      rank([answering('slow', { latencyMs: 300 }), answering('quick', { latencyMs: 50 })]),
    ).toEqual(['quick', 'slow']);
  });

  test('counts failures as time lost: half of the calls lost doubles the wait', () => {
    const flaky = answering('flaky', { latencyMs: 100, errorRate: 0.5 });
    expect(rank([flaky, answering('steady', { latencyMs: 199 })])[0]).toBe('steady');
    expect(rank([flaky, answering('steady', { latencyMs: 201 })])[0]).toBe('flaky');
  });

  test('counts a second of lag as fifty milliseconds of waiting', () => {
    const behind = answering('behind', { latencyMs: 100, headAgeMs: 22_000 });
    const fresh = (latencyMs: number) => answering('fresh', { latencyMs, headAgeMs: 2_000 });
    expect(rank([behind, fresh(1_099)])[0]).toBe('fresh');
    expect(rank([behind, fresh(1_101)])[0]).toBe('behind');
  });

  test('leaves out one that is more than a minute behind', () => {
    const records = [
      answering('fresh', { headAgeMs: 5_000 }),
      answering('old', { headAgeMs: 65_001 }),
    ];
    expect(rank(records)).toEqual(['fresh']);
    expect(rank([records[0]!, answering('late', { headAgeMs: 65_000 })])).toEqual([
      'fresh',
      'late',
    ]);
  });

  test('compares heads with each other and not with a clock that may be wrong', () => {
    const hoursAhead = -7_200_000;
    const records = [
      answering('a', { headAgeMs: hoursAhead }),
      answering('b', { headAgeMs: hoursAhead + 1_000, latencyMs: 10 }),
    ];
    expect(rank(records)).toEqual(['b', 'a']);
  });

  test('ignores a single head from the future', () => {
    const records = [
      answering('liar', { headAgeMs: -86_400_000, latencyMs: 1 }),
      answering('a', { headAgeMs: 4_000 }),
      answering('b', { headAgeMs: 9_000 }),
    ];
    expect(rank(records)).toEqual(['a', 'b']);
  });

  test('trusts the fresher of two endpoints', () => {
    const records = [
      answering('stuck', { headAgeMs: 900_000 }),
      answering('fresh', { headAgeMs: 0 }),
    ];
    expect(rank(records)).toEqual(['fresh']);
  });

  test('never uses an endpoint of another chain, not even a configured one [Q11]', () => {
    const records = [
      { ...answering('own'), origin: 'settings', verdict: 'wrong-chain' } as const,
      { ...answering('open'), verdict: 'wrong-chain' } as const,
    ];
    expect(rank(records)).toEqual([]);
  });

  test('ranks untried endpoints behind those that answered, and failing ones last', () => {
    const records: EndpointRecord[] = [
      { ...answering('failed', { latencyMs: 1 }), verdict: 'failing' },
      { url: 'untried', origin: 'registry', verdict: 'untried', errorRate: 0 },
      answering('slow', { latencyMs: 2_999 }),
    ];
    expect(rank(records)).toEqual(['slow', 'untried', 'failed']);
  });

  test('keeps the configured endpoints first and in their order, whatever was measured [Q11]', () => {
    const own = (url: string, facts: Partial<EndpointRecord> = {}): EndpointRecord => ({
      ...answering(url, facts),
      origin: 'settings',
    });
    const records = [
      answering('open', { latencyMs: 1 }),
      own('down', { verdict: 'failing' }),
      own('first', { latencyMs: 2_000, headAgeMs: 86_400_000 }),
      own('second', { latencyMs: 5, headAgeMs: -86_400_000 }),
    ];
    expect(rank(records)).toEqual(['first', 'second', 'down', 'open']);
  });
});

function rank(records: readonly EndpointRecord[]): string[] {
  return rankEndpoints(records).map(({ url }) => url);
}

function answering(url: string, facts: Partial<EndpointRecord> = {}): EndpointRecord {
  const usual = { latencyMs: 100, headAgeMs: 2_000, errorRate: 0 };
  return { url, origin: 'registry', verdict: 'answering', ...usual, ...facts };
}

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

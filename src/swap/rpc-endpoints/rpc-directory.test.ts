import { describe, expect, test } from 'vitest';
import type { EndpointRecord } from './rank-endpoints.ts';
import { recommendUrls } from './rpc-directory.ts';

describe('the endpoints recommended to callers [Q9]', () => {
  test('are at most five, the best first', () => {
    const records = [60, 10, 50, 20, 40, 30].map((latencyMs) => withLatency(latencyMs));
    expect(recommendUrls(records)).toEqual(
      [10, 20, 30, 40, 50].map((latencyMs) => `https://node-${latencyMs}.example.org`),
    );
  });

  test('are only those that have answered, as soon as there is one', () => {
    const failing = { ...withLatency(2), verdict: 'failing' } as const;
    const untried = { ...withLatency(3), verdict: 'untried' } as const;
    expect(recommendUrls([failing, untried, withLatency(1)])).toEqual([
      'https://node-1.example.org',
    ]);
    expect(recommendUrls([failing, untried])).toEqual([untried.url, failing.url]);
  });

  test('include an open configured one, and never one that could carry a credential', () => {
    const own = (url: string): EndpointRecord => ({ ...withLatency(9), url, origin: 'settings' });
    const records = [
      own('https://user:secret@node.example.org'),
      own('https://node.example.org/v3/9aa3d95b3bc440fa88ea12eaa4456161'),
      own('https://node.example.org/?key=secret'),
      own('http://localhost:8545'),
      own('https://ours.example.org'),
      withLatency(1),
    ];
    expect(recommendUrls(records)).toEqual([
      'https://ours.example.org',
      'https://node-1.example.org',
    ]);
  });
});

function withLatency(latencyMs: number): EndpointRecord {
  return {
    url: `https://node-${latencyMs}.example.org`,
    origin: 'registry',
    verdict: 'answering',
    errorRate: 0,
    latencyMs,
    headAgeMs: 0,
  };
}

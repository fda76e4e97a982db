import type { EndpointRecord, ProbeOutcome } from './endpoint-record.ts';

/** How much the latest probe counts: with one an hour, a bad day is forgotten within another. */
const latestWeight = 0.2;

/** The record after one more probe. */
export function recordOutcome(record: EndpointRecord, outcome: ProbeOutcome): EndpointRecord {
  const errorRate = average(record.errorRate, outcome.answered ? 0 : 1);
  if (!outcome.answered) {
    const verdict = outcome.reason === 'wrong-chain' ? 'wrong-chain' : 'failing';
    return { ...record, verdict, errorRate };
  }
  return {
    ...record,
    verdict: 'answering',
    errorRate,
    latencyMs: average(record.latencyMs ?? outcome.latencyMs, outcome.latencyMs),
    headAgeMs: outcome.headAgeMs,
  };
}

function average(before: number, latest: number): number {
  return before + (latest - before) * latestWeight;
}

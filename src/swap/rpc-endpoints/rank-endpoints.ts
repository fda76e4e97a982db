/** An endpoint that is further than this behind the others is stale. */
const staleAfterMs = 60_000;

/** As far apart as heads of healthy nodes are seen to be: two blocks of the slowest chains. */
const nearMs = 30_000;

/** How long a wait equals a millisecond of lag: prices age, but slower than callers lose patience. */
const waitingMsPerLagMs = 0.05;

/**
 * The order in which the endpoints of a chain are to be used: the operator's own first, as they were
 * given, then the open ones by the time an up-to-date answer is expected to take:
 *
 *     latency / (1 − error rate) + 0.05 × lag
 *
 * where the lag is how much older the newest block is than the freshest one seen. After those that
 * answered come the untried and then those that failed just now. Endpoints of another chain are left
 * out, and open ones that are stale or whose head lies beyond what any other has seen. The age of the
 * operator's own does not count: a fork of the chain may have a time of its own.
 */
export function rankEndpoints(records: readonly EndpointRecord[]): readonly EndpointRecord[] {
  const rightChain = records.filter(({ verdict }) => verdict !== 'wrong-chain');
  const own = rightChain.filter(({ origin }) => origin === 'settings');
  const open = rightChain.filter(({ origin }) => origin !== 'settings');
  const freshest = freshestHeadAge(open);
  const costOf = (record: EndpointRecord) => expectedCost(record, freshest);
  return [
    ...own.sort(byVerdict),
    ...open
      .filter((record) => !isOutOfTime(record, freshest))
      .sort((a, b) => byVerdict(a, b) || costOf(a) - costOf(b)),
  ];
}

/**
 * The smallest age of a head; among three or more, the smallest that another endpoint is near to: a
 * single liar from the future must not make all others look stale.
 */
function freshestHeadAge(open: readonly EndpointRecord[]): number {
  const ages = open
    .filter(({ verdict }) => verdict === 'answering')
    .flatMap(({ headAgeMs }) => headAgeMs ?? [])
    .sort((a, b) => a - b);
  const seconded = ages.find((age, index) => (ages[index + 1] ?? Number.NaN) - age <= nearMs);
  return (ages.length > 2 ? seconded : undefined) ?? ages[0] ?? 0;
}

function isOutOfTime({ verdict, headAgeMs }: EndpointRecord, freshest: number): boolean {
  if (verdict !== 'answering' || headAgeMs === undefined) return false;
  const lag = headAgeMs - freshest;
  return lag > staleAfterMs || lag < -nearMs;
}

function expectedCost(record: EndpointRecord, freshest: number): number {
  const { latencyMs = 0, headAgeMs = freshest, errorRate } = record;
  // At an error rate of 1 the cost would be infinite, and equal for all such endpoints.
  const successRate = Math.max(1 - errorRate, 0.01);
  return latencyMs / successRate + waitingMsPerLagMs * Math.max(headAgeMs - freshest, 0);
}

const verdictOrder = { answering: 0, untried: 1, failing: 2, 'wrong-chain': 3 } as const;

function byVerdict(a: EndpointRecord, b: EndpointRecord): number {
  return verdictOrder[a.verdict] - verdictOrder[b.verdict];
}

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

/** What is known of one RPC endpoint of one chain. */
export type EndpointRecord = {
  readonly url: string;
  readonly origin: EndpointOrigin;
  readonly verdict: Verdict;
  /** The share of probes that failed, the latest weighing most. */
  readonly errorRate: number;
  /** The time to answer, averaged likewise. Absent until the first answer. */
  readonly latencyMs?: number;
  /**
   * How old the newest block was when it was last seen, by this machine's clock. That clock may be
   * wrong: only differences between endpoints mean something. Absent until the first answer.
   */
  readonly headAgeMs?: number;
};

/** What callers see of an endpoint: not where the operator's own are, whose URLs may carry credentials [F99]. */
export function shownName({ url, origin }: EndpointRecord, place: number): string {
  return origin === 'settings' ? `own endpoint ${place + 1}` : url;
}

/** `settings` are the operator's own; the others are open to everyone. */
export type EndpointOrigin = 'settings' | 'registry' | 'chain-list';

/** What the latest probe showed. */
type Verdict = 'untried' | 'answering' | 'failing' | 'wrong-chain';

/** What one probe gives. */
export type ProbeOutcome =
  | { readonly answered: true; readonly latencyMs: number; readonly headAgeMs: number }
  | { readonly answered: false; readonly reason: ProbeFailure };

export type ProbeFailure =
  | 'unreachable'
  | 'timed-out'
  | 'rate-limited'
  | 'refused'
  | 'not-json-rpc'
  | 'wrong-chain';

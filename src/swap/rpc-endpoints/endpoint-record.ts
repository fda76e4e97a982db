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

/** `settings` are the operator's own; the others are open to everyone. */
export type EndpointOrigin = 'settings' | 'registry' | 'chain-list';

/** What the latest probe showed. */
export type Verdict = 'untried' | 'answering' | 'failing' | 'wrong-chain';

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

/** A bound that a caller meets. The code uses `value`; `docs/limits.md` is written from all of it. */
export type Limit = {
  readonly value: number;
  readonly unit: LimitUnit;
  /** What it is counted for; `server` is everybody together. */
  readonly per:
    | 'request'
    | 'connection'
    | 'caller'
    | 'client'
    | 'account'
    | 'name'
    | 'subscription'
    | 'chain'
    | 'pair'
    | 'process'
    | 'server';
  /** What is bounded and what happens beyond, as one sentence. */
  readonly meaning: string;
  /** The setting that changes it; `value` is its default. */
  readonly setting?: string;
};

export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'items'
  | 'at once'
  | 'stored'
  | 'a minute'
  | 'bytes a minute'
  | 'milliseconds'
  | 'levels'
  | 'gas';

/** The bounds of one part of the product, by name. */
export type Limits = Readonly<Record<string, Limit>>;

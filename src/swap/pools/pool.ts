import type { Address } from '../address.ts';

/** A pool that may exist: what follows from its exchange and tokens alone and never changes. */
export type Pool = ConstantProductPool | ConcentratedPool;

type CommonPool = {
  readonly address: Address;
  /** The name of its exchange in the chain's deployment. */
  readonly exchange: string;
  /** The token that sorts first by address. */
  readonly token0: Address;
  readonly token1: Address;
};

export type ConstantProductPool = CommonPool & {
  readonly kind: 'constant-product';
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

export type ConcentratedPool = CommonPool & {
  readonly kind: 'concentrated';
  /** As the exchange's fee tier says; a state carries what the pool itself says. */
  readonly tickSpacing: number;
};

/** How far around the current tick a concentrated pool is read, in words of its tick bitmap. */
export type TickReach = {
  readonly wordsBelow: number;
  readonly wordsAbove: number;
  /** A side is not read further once it has so many ticks. */
  readonly ticksPerSide: number;
};

/** A token, as the interface describes it. */
export type Token = {
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

export type Chain = {
  readonly chainId: number;
  readonly name: string;
  readonly nativeCurrency: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  };
};

export type RouteLeg = {
  readonly path: number;
  readonly pool: string;
  readonly exchange: string;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly share: number;
  readonly amountIn: string;
  readonly amountOut: string;
};

export type Transaction = {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value?: string;
  readonly gas?: string;
  readonly gasPrice?: number;
};

/** The answer of `/v1/swap/{chainId}`; that of `/v1/price/{chainId}` lacks the transaction. */
export type QuoteAnswer = {
  readonly status: 'Successful' | 'Partial' | 'NoRoute';
  readonly tokenFrom?: Token;
  readonly tokenTo?: Token;
  readonly swapPrice?: number;
  readonly priceImpact?: number;
  readonly amountIn?: string;
  readonly expectedAmountOut?: string;
  readonly minAmountOut?: string;
  readonly tokens?: readonly Token[];
  readonly route?: readonly RouteLeg[];
  readonly tx?: Transaction;
  readonly approval?: readonly Transaction[];
  readonly blockNumber?: string;
  readonly validUntil?: string;
  readonly optimality?: {
    readonly upperBound: string;
    readonly gapBps: number;
    readonly pools: number;
    readonly poolsCutOff: number;
  };
  readonly reason?: string;
};

/** A quote with a route. */
export type RoutedAnswer = QuoteAnswer &
  Required<Pick<QuoteAnswer, 'tokenFrom' | 'tokenTo' | 'amountIn' | 'expectedAmountOut'>>;

export function hasRoute(answer: QuoteAnswer): answer is RoutedAnswer {
  return answer.status !== 'NoRoute';
}

/** The address by which the interface names the native token of every chain. */
export const nativeAddress = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/** The chain on which this server knows the keys of test accounts. */
export const developmentChainId = 31_337;

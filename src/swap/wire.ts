// The second door: the shapes of the published interface, for code that calls a server of it.

export { errorEnvelope, successEnvelope } from './http/operations/answer-schemas.ts';
export {
  chainsOperation,
  priceOperation,
  quoteOperation,
  tokensOperation,
} from './http/operations/operations.ts';
export type { SwapOperation } from './http/operations/swap-operation.ts';
export type { ChainAnswer } from './http/to-chain-answer.ts';
export type { QuoteAnswer } from './http/to-quote-answer.ts';
export { parseAddress } from './model/address.ts';
export { nativeToken } from './tokens/native-token.ts';

// The second door: the shapes of the published interface, for code that calls a server of it.

export type { ChainAnswer } from './http/create-swap-answers.ts';
export { errorEnvelope, successEnvelope } from './http/operations/answer-schemas.ts';
export {
  chainsOperation,
  priceOperation,
  quoteOperation,
  tokensOperation,
} from './http/operations/operations.ts';
export type { SwapOperation } from './http/operations/swap-operation.ts';
export type { QuoteAnswer } from './http/to-quote-answer.ts';
export { nativeToken, parseAddress } from './model.ts';

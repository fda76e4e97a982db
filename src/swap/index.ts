export { swapSettings } from './config.ts';
export { createSwapMount } from './http/create-swap-mount.ts';
export { createUpstreamQuotes } from './http/create-upstream-quotes.ts';
export type { SwapUseCases } from './http/swap-use-cases.ts';

import type { ContextUseCases } from '../use-cases.ts';
import { createSubscriptionTools } from './create-subscription-tools.ts';
import { createSwapTools } from './create-swap-tools.ts';
import type { ContextTool } from './tool.ts';

/** Every tool that these use cases carry. */
export function createTools({ swap, subscriptions }: ContextUseCases): readonly ContextTool[] {
  return [
    ...(swap ? createSwapTools(swap) : []),
    ...(subscriptions ? createSubscriptionTools(subscriptions) : []),
  ];
}

import { authorizationLimits } from '../src/authorization/limits.ts';
import { contextLimits } from '../src/context/limits.ts';
import { devchainLimits } from '../src/devchain/limits.ts';
import { eventsLimits } from '../src/events/limits.ts';
import { edgeLimits, type Limits } from '../src/kernel/edge/limits.ts';
import { swapLimits } from '../src/swap/limits.ts';

/** Every bound of the server, by the part that it belongs to. */
export const declaredLimits: Readonly<Record<string, Limits>> = {
  'Every request': edgeLimits,
  'Swap quotes': swapLimits,
  'Development chain': devchainLimits,
  Authorization: authorizationLimits,
  'Change notifications': eventsLimits,
  MCP: contextLimits,
};

import type { ApplicationOptions } from './application-options.ts';
import { driveOptions } from './drive-options.ts';
import { swapOptions } from './swap-options.ts';

/** The options that built-in applications bring, each a field of the Subscription of the interface. */
export const applicationOptions: readonly ApplicationOptions[] = [driveOptions, swapOptions];

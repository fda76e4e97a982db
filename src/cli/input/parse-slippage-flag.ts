import { UsageError } from './usage-error.ts';

/**
 * Reads `0.5%` into what the interface takes, exactly: `0.5e-2`. The sign is required,
 * because a bare 0.5 may mean a half or half a percent. Throws {@link UsageError}.
 */
export function parseSlippageFlag(text: string): string {
  const match = /^((?:0|[1-9]\d?)(?:\.\d{1,20})?|100)%$/.exec(text);
  if (match?.[1] !== undefined) return `${match[1]}e-2`;
  throw new UsageError(
    `The slippage ${JSON.stringify(text)} is not between 0% and 100%: write it with the percent sign, as in --slippage 0.5%.`,
  );
}

import { UsageError } from './usage-error.ts';

const percentage = /^((?:0|[1-9]\d?)(?:\.\d{1,20})?|100)%$/;

/**
 * Reads `0.5%` into what the interface takes, exactly: `0.5e-2`. The sign is required,
 * because a bare 0.5 may mean a half or half a percent. Throws {@link UsageError}.
 */
export function parseSlippageFlag(text: string): string {
  const match = percentage.exec(text);
  if (match?.[1] !== undefined) return `${match[1]}e-2`;
  const problem = percentage.test(`${text}%`)
    ? 'has no percent sign'
    : 'is not a percentage from 0% to 100%';
  throw new UsageError(
    `The slippage ${JSON.stringify(text)} ${problem}: write it as in --slippage 0.5%.`,
  );
}

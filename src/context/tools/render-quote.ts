import { z } from 'zod';
import { withoutTrailing } from '../../kernel/text/without-trailing.ts';

const token = z.object({ symbol: z.string(), decimals: z.number() });

const routedQuote = z.object({
  status: z.enum(['Successful', 'Partial']),
  tokenFrom: token,
  tokenTo: token,
  amountIn: z.string(),
  expectedAmountOut: z.string(),
  minAmountOut: z.string(),
  priceImpact: z.number().optional(),
  approval: z.array(z.unknown()).optional(),
  validUntil: z.string().optional(),
});

/** A quote in words. Where fields are missing, as an upstream may leave them out, it says only the status. */
export function renderQuote(answer: object): string {
  const { success, data } = routedQuote.safeParse(answer);
  if (!success) {
    const { status, reason } = z
      .object({ status: z.string(), reason: z.string().optional() })
      .parse(answer);
    return status === 'NoRoute' ? `There is no route. ${reason ?? ''}`.trim() : `Status: ${status}`;
  }
  const amount = (units: string, { symbol, decimals }: z.output<typeof token>) =>
    `${toDecimal(units, decimals)} ${symbol}`;
  return [
    ...(data.status === 'Partial'
      ? ['The pools take only a part of the amount; everything below is for that part.']
      : []),
    `${amount(data.amountIn, data.tokenFrom)} gives about ${amount(data.expectedAmountOut, data.tokenTo)}, and at least ${amount(data.minAmountOut, data.tokenTo)} or the transaction reverts.`,
    ...(data.priceImpact === undefined
      ? []
      : [`Price impact: ${(data.priceImpact * 100).toFixed(3)} %.`]),
    data.approval === undefined
      ? 'To execute it the sender signs and sends tx.'
      : 'To execute it the sender signs and sends the approval transactions in order, then tx.',
    ...(data.validUntil === undefined ? [] : [`It can be executed until ${data.validUntil}.`]),
  ].join('\n');
}

/** Units as a decimal number, exactly: 1500000 of 6 decimals is 1.5. */
function toDecimal(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const digits = units.padStart(decimals + 1, '0');
  const fraction = withoutTrailing(digits.slice(-decimals), '0');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

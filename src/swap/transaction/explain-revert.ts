import type { Hex } from 'viem';
import { decodeErrorResult, hexToString } from 'viem/utils';

const longest = 200;

/** The reason that a contract gave for a revert, safe to display, or the first bytes of unreadable data. */
export function explainRevert(data: Hex): string {
  if (data === '0x') return 'reverted without a reason';
  try {
    const { args } = decodeErrorResult({
      abi: [
        { type: 'error', name: 'Error', inputs: [{ type: 'string' }] },
        { type: 'error', name: 'Panic', inputs: [{ type: 'uint256' }] },
      ],
      data,
    });
    const text = String(args?.[0] ?? '');
    return clean(typeof args?.[0] === 'bigint' ? `panic code ${text}` : text);
  } catch {
    return clean(hexToString(data)) || `reverted with the data ${data.slice(0, 10)}`;
  }
}

function clean(text: string): string {
  // Texts come from contracts that anyone may write: only plain printable characters pass.
  return text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, longest);
}

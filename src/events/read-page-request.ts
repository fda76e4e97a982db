import { SealError, type Sealer } from '../kernel/crypto/sealer.ts';
import { invalidArgument } from './model/events-error.ts';

export type PageRequest = {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
};

/** A page that is asked for. */
export type RequestedPage = {
  readonly size: number;
  /** Where the page before ended; '' for the first. */
  readonly after: string;
  /** The token of the next page, if this page ends at `last`. */
  tokenAt(last: string): string;
};

// E6.5
const [defaultPageSize, largestPageSize] = [50, 100];

/**
 * Reads which page of a list is requested. A token is valid for one list only: `list` names
 * everything that distinguishes it, such as its filters. Throws `INVALID_ARGUMENT` for a size below
 * 0 and for a token that this list never gave.
 */
export function readPageRequest(
  { pageSize = 0, pageToken = '' }: PageRequest,
  { sealer, list }: { readonly sealer: Sealer; readonly list: readonly string[] },
): RequestedPage {
  if (pageSize < 0) {
    throw invalidArgument([{ field: 'pageSize', description: 'must not be negative' }]);
  }
  const binding = JSON.stringify(list);
  return {
    size: Math.min(pageSize || defaultPageSize, largestPageSize),
    after: pageToken === '' ? '' : openToken(sealer, { pageToken, binding }),
    tokenAt: (last) => sealer.seal(last, binding),
  };
}

function openToken(
  sealer: Sealer,
  { pageToken, binding }: { readonly pageToken: string; readonly binding: string },
): string {
  try {
    return sealer.open(pageToken, binding);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const description =
      'does not belong to this list: take it from the previous page, and change no other parameter';
    throw invalidArgument([{ field: 'pageToken', description }], 'INVALID_PAGE_TOKEN');
  }
}

import { z } from 'zod';
import { SealError, type Sealer } from '../../kernel/crypto/sealer.ts';
import { StatusError } from '../../kernel/edge/status-error.ts';
import { firstKey, type Page, type PageKey } from '../store/page.ts';

const [defaultPageSize, largestPageSize] = [50, 100];
const expected = `must be a whole number from 0 to ${2 ** 31 - 1}`;

/** The parameters of every list. */
export const pageQuery = {
  pageSize: z
    .string()
    .regex(/^\d{1,10}$/, expected)
    .transform(Number)
    .pipe(z.int32(expected))
    .optional()
    .meta({ wire: { type: 'integer', format: 'int32' } })
    .describe(
      `How many entries at most: ${defaultPageSize} by default, never more than ${largestPageSize}.`,
    ),
  pageToken: z.string().optional().describe('The nextPageToken of the previous page.'),
};

export const nextPageToken = z
  .string()
  .optional()
  .describe('Where the next page begins; absent on the last one.');

type PageRequest = {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
};

/** Reads lists page by page. A page token is sealed for one list alone. */
export type ReadPage = <Item>(
  request: PageRequest,
  list: {
    /** Identifies the list, with everything that narrows it. */
    readonly name: readonly (string | undefined)[];
    readonly read: (page: Page) => Promise<readonly Item[]>;
    readonly keyOf: (item: Item) => PageKey;
  },
) => Promise<{ readonly items: readonly Item[]; readonly nextPageToken?: string }>;

/** Throws `INVALID_ARGUMENT` for a page token that is not from this list. */
export function createReadPage(sealer: Sealer): ReadPage {
  return async ({ pageSize = 0, pageToken = '' }, { name, read, keyOf }) => {
    const size = Math.min(pageSize || defaultPageSize, largestPageSize);
    const binding = JSON.stringify(name);
    const after = pageToken === '' ? firstKey : openToken(sealer, { pageToken, binding });
    // One more than is shown tells whether there is another page.
    const found = await read({ after, limit: size + 1 });
    const items = found.slice(0, size);
    const last = items.at(-1);
    if (found.length <= size || last === undefined) return { items };
    return { items, nextPageToken: sealer.seal(JSON.stringify(keyOf(last)), binding) };
  };
}

function openToken(
  sealer: Sealer,
  { pageToken, binding }: { readonly pageToken: string; readonly binding: string },
): PageKey {
  try {
    return JSON.parse(sealer.open(pageToken, binding)) as PageKey; // sealed above from the same type
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const description =
      'does not belong to this list: take it from the previous page, and change no other parameter';
    throw new StatusError('INVALID_ARGUMENT', `The pageToken ${description}.`, {
      reason: 'INVALID_PAGE_TOKEN',
      fieldViolations: [{ field: 'pageToken', description }],
    });
  }
}

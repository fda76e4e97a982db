/** Where a page of a list ends: lists are in the order of a time, and of ids where times are the same. */
export type PageKey = { readonly at: number; readonly id: string };

/** Part of a list: the entries after a key, up to a number. */
export type Page = { readonly after: PageKey; readonly limit: number };

/** Before everything. */
export const firstKey: PageKey = { at: Number.MIN_SAFE_INTEGER, id: '' };

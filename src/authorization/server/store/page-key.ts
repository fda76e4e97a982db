/** Where a page of a list ends: lists are in the order of a time, and of ids where times are the same. */
export type PageKey = { readonly at: number; readonly id: string };

/** Part of a list: what comes after a key, at most so many. */
export type Page = { readonly after: PageKey; readonly limit: number };

/** Before everything. */
export const firstKey: PageKey = { at: Number.MIN_SAFE_INTEGER, id: '' };

/** The part of `fetch` that the directory needs, passed in so that it can be confined. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** A redirect would be the answer of another server. */
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

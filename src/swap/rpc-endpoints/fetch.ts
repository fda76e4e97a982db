/** As much of the global `fetch` as the directory needs, handed in so that it can be confined. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** A redirect is an answer of somebody else. */
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/** A whole answer. The edge adds the headers that all of them carry. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

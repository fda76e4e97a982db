/** The cookies of one browser at one site. */
export type CookieJar = {
  readonly cookies: Map<string, string>;
  /** The value of the `Cookie` header; empty without cookies. */
  header(): string;
  /** Stores and deletes cookies as a response says. */
  take(response: Response): void;
};

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  return {
    cookies,
    header: () => [...cookies].map((pair) => pair.join('=')).join('; '),
    take(response) {
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (/max-age=0/i.test(cookie)) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}

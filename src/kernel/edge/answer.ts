/** A whole answer. The edge adds the headers that all of them carry. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The answer as a `Response` of the web. */
export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body === '' ? null : body, { status, headers });
}

/**
 * Compresses an answer for callers that accept gzip. Only for content that is the same for everybody: if a
 * secret stands beside input of the caller, the compressed length reveals the secret (BREACH).
 */
export function packAnswer(request: Request, response: Response): Response {
  const { status, headers, body } = response;
  headers.append('Vary', 'Accept-Encoding');
  if (body === null || !takesGzip(request)) return response;
  headers.delete('Content-Length');
  headers.set('Content-Encoding', 'gzip');
  return new Response(body.pipeThrough(new CompressionStream('gzip')), { status, headers });
}

/** Whether `Accept-Encoding` names gzip with a weight above 0 (RFC 9110, section 12.5.3). */
export function takesGzip({ headers }: { readonly headers: Pick<Headers, 'get'> }): boolean {
  const codings = (headers.get('accept-encoding') ?? '').split(',');
  return codings.some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return coding === 'gzip' && !isRefused;
  });
}

/**
 * Headers that the edge adds to those of an answer: name, value, name, value. Each replaces one of
 * the same name, except `Vary`, which is appended.
 */
export type HeaderList = readonly string[];

/** Sets the list on the headers of a `Response`. Keeps a content policy that is there, as on pages. */
export function setHeaders(headers: Headers, list: HeaderList): void {
  for (let index = 0; index < list.length; index += 2) {
    const [name = '', value = ''] = [list[index], list[index + 1]];
    if (name === 'Vary') headers.append(name, value);
    else if (name !== 'Content-Security-Policy' || !headers.has(name)) headers.set(name, value);
  }
}

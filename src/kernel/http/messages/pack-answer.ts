/**
 * An answer packed for callers that can unpack it, else as it was. For what says the same to everybody: where
 * a secret stands beside what a caller chose, the length of the packed answer would tell of the secret.
 */
export function packAnswer(request: Request, response: Response): Response {
  const { status, headers, body } = response;
  headers.append('Vary', 'Accept-Encoding');
  if (body === null || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) {
    return response;
  }
  headers.delete('Content-Length');
  headers.set('Content-Encoding', 'gzip');
  return new Response(body.pipeThrough(new CompressionStream('gzip')), { status, headers });
}

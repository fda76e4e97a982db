import { takesGzip } from './takes-gzip.ts';

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

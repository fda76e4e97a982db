import { errors } from 'undici';
import { OutboundError, type OutboundErrorCode } from './outbound-error.ts';

/** What OpenSSL and Node.js call a certificate that does not prove the name, or a failed handshake. */
const tlsFailure =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO$)/;
/** The HTTP client asserts that an upgrade it gets is one it asked for. */
const invalidResponse = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
const lostConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Maps a failure of the transport to its code, with a message that names only the origin. An error
 * in the request itself is our own bug and stays as it is.
 */
export function explainFailure(cause: Error, origin: string): Error {
  if (cause instanceof OutboundError) return cause;
  const failure = (code: OutboundErrorCode, text: string) =>
    new OutboundError(code, `${origin} ${text}`, { cause });
  // System errors and those of the HTTP client carry a code; others have none.
  const code = 'code' in cause ? String(cause.code) : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return failure('TIMED_OUT', 'did not accept a connection in time: check that it is reachable.');
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return failure('RESPONSE_TOO_LARGE', 'answered with headers above 16 KiB: send fewer.');
  }
  if (cause instanceof errors.HTTPParserError || invalidResponse.has(code)) {
    return failure('INVALID_RESPONSE', 'answered with something that is not an HTTP/1.1 response.');
  }
  if (tlsFailure.test(code)) {
    return failure(
      'TLS_FAILED',
      `did not prove its identity over TLS (${code}): check its certificate.`,
    );
  }
  if (lostConnection.has(code)) {
    return failure('CONNECTION_LOST', 'closed the connection before its answer was complete.');
  }
  if (code.startsWith('UND_ERR_')) return cause;
  return failure('CONNECT_FAILED', `could not be reached (${code || 'unknown reason'}).`);
}

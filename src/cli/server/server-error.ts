import { DomainError } from '../../kernel/model/domain-error.ts';
import { plainText } from '../plain-text.ts';

/**
 * Why a request to this origin got no answer: the OAuth client's own error if the sign-in failed,
 * `CERTIFICATE_REFUSED` if the certificate is not accepted, and else `SERVER_UNREACHABLE`. The cause may contain the
 * whole URL, so only the origin is shown.
 */
export function explainFailedRequest(origin: string, cause: unknown): DomainError {
  if (cause instanceof DomainError && cause.code !== 'UNREACHABLE') return cause;
  const refused = findCertificateFault(cause);
  if (refused !== undefined) {
    return new ServerError(
      'CERTIFICATE_REFUSED',
      `The certificate of ${origin} is not accepted (${plainText(refused.message)}), and nothing was sent: use a host name that it covers, or trust its CA with NODE_EXTRA_CA_CERTS.`,
      { cause },
    );
  }
  return new ServerError(
    'SERVER_UNREACHABLE',
    `No server answers at ${origin}: start one with tradewind serve, or name another one with --server or TRADEWIND_PUBLIC_URL.`,
    { cause },
  );
}

/** Node.js and OpenSSL give such faults codes like `CERT_HAS_EXPIRED` and `UNABLE_TO_VERIFY_LEAF_SIGNATURE`. */
function findCertificateFault(cause: unknown): Error | undefined {
  for (let inner = cause; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as NodeJS.ErrnoException; // checked below
    if (typeof code === 'string' && /CERT|^UNABLE_TO_/.test(code)) return inner;
  }
  return undefined;
}

/** A server could not be reached, gave an unusable answer, or refused. A refusal has the server's own `code`. */
export class ServerError extends DomainError {}

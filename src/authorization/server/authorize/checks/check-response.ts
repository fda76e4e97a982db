import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Client } from '../../model/client.ts';

/**
 * Checks that the client may use codes and asks for one in the query of its redirect URI, the only
 * kind of answer that there is. Throws `unsupported_response_type`, `unauthorized_client`,
 * `invalid_request`, and `request_not_supported` for a request object (RFC 9101).
 */
export function checkResponse(form: Form, client: Client): void {
  if (form.get('request') !== undefined) {
    throw new AuthorizationError(
      'request_not_supported',
      'Request objects are not supported: send the parameters themselves, or push them first.',
    );
  }
  const responseType = form.get('response_type');
  if (responseType === undefined) {
    throw new AuthorizationError('invalid_request', 'The response_type is missing: send code.');
  }
  if (responseType !== 'code') {
    throw new AuthorizationError(
      'unsupported_response_type',
      `The response_type "${responseType.slice(0, 50)}" is not supported: send code.`,
    );
  }
  if (!client.grantTypes.includes('authorization_code')) {
    throw new AuthorizationError(
      'unauthorized_client',
      'This client did not register for the grant type authorization_code: register it for that too.',
    );
  }
  const responseMode = form.get('response_mode') ?? 'query';
  if (responseMode !== 'query') {
    throw new AuthorizationError(
      'invalid_request',
      `The response_mode "${responseMode.slice(0, 50)}" is not supported: leave it out or send query.`,
    );
  }
}

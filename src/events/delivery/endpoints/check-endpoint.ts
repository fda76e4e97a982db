import { parseSigningSecrets, signingSecretForm } from '../../model/signing-secret.ts';
import type { CheckEndpoint, EndpointKinds } from './endpoint.ts';

/** Checks an endpoint at create and reactivate, by the rules of its kind. */
export function createCheckEndpoint(kinds: EndpointKinds): CheckEndpoint {
  return async (endpoint, { signingSecret, ...options } = {}) => {
    if (signingSecret !== undefined && parseSigningSecrets(signingSecret) === undefined) {
      return {
        status: 'INVALID_ARGUMENT',
        reason: 'SIGNING_SECRET_INVALID',
        message: signingSecretForm,
        field: 'webhook.signingSecret',
        suspensionReason: 'OTHER',
      };
    }
    switch (endpoint.kind) {
      case 'webhook':
        return kinds.webhook.check(endpoint, options);
      case 'natsSubject':
        if (kinds.natsSubject) return kinds.natsSubject.check(endpoint, options);
        return {
          status: 'FAILED_PRECONDITION',
          reason: 'NATS_NOT_CONFIGURED',
          message: 'This server has no NATS server to publish to: set TRADEWIND_NATS_URL.',
          suspensionReason: 'ENDPOINT_NOT_FOUND',
        };
      case 'pubsubTopic':
        return kinds.pubsubTopic?.check(endpoint, options);
      case 'eventStream':
        return undefined;
    }
  };
}

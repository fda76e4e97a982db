import { hashSecret } from '../../../kernel/crypto/secret-hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { drawText } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { type Form, parseForm } from '../../protocol/read-form.ts';
import type { ClientId } from '../model/client.ts';
import { insertPushedRequest, takePushedRequest } from '../store/pushed-request-store.ts';

/** Pushed authorization requests (RFC 9126). */
export type PushedRequests = {
  /** Stores the parameters of a client and returns the name by which the browser refers to them. */
  push(
    clientId: ClientId,
    parameters: string,
  ): Promise<{ requestUri: string; lifetimeSeconds: number }>;
  /**
   * Returns the pushed parameters that a request refers to, which works once, or the request's own
   * parameters if it refers to none. Throws `invalid_request_uri` for a name that is unknown, used,
   * expired or another client's.
   */
  take(form: Form): Promise<Form>;
};

const prefix = 'urn:ietf:params:oauth:request_uri:';
/** The browser follows at once; RFC 9126 section 2.2 speaks of 5 to 600 seconds. */
const lifetimeSeconds = 90;

export function createPushedRequests(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
}): PushedRequests {
  const { database, clock, random } = options;
  return {
    async push(clientId, parameters) {
      const id = drawText(random, 32);
      const expiresAt = clock.now() + lifetimeSeconds * 1_000;
      await insertPushedRequest(database, hashSecret(id), { clientId, parameters, expiresAt });
      return { requestUri: `${prefix}${id}`, lifetimeSeconds };
    },
    async take(form) {
      const requestUri = form.get('request_uri');
      if (requestUri === undefined) return form;
      const idHash = hashSecret(requestUri.slice(prefix.length));
      const clientId = form.get('client_id') ?? '';
      const parameters = requestUri.startsWith(prefix)
        ? await takePushedRequest(database, { idHash, clientId, now: clock.now() })
        : undefined;
      if (parameters !== undefined) return parseForm(parameters);
      throw new AuthorizationError(
        'invalid_request_uri',
        'The pushed request is gone: it works once, within 90 seconds, and for its own client. The program that sent you here must start again.',
      );
    },
  };
}

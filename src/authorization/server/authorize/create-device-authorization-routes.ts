import { Hono, type MiddlewareHandler } from 'hono';
import { callOf } from '../../../kernel/http/mount/call-of.ts';
import type { EdgeEnv } from '../../../kernel/http/mount/edge-env.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { AnswerAuthenticated } from '../clients/authentication/answer-authenticated.ts';
import { noStore } from '../http/no-store.ts';
import { endpointPaths } from '../model/endpoint-paths.ts';
import { checkAccess } from './checks/check-access.ts';
import type { ResourceRules } from './checks/check-resources.ts';
import type { Interactions } from './create-interactions.ts';

export type DeviceAuthorizationRouteOptions = {
  readonly issuer: string;
  readonly resources: ResourceRules;
  readonly scopes: Scopes;
  readonly interactions: Pick<Interactions, 'beginDevice'>;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly limit: MiddlewareHandler<EdgeEnv>;
  readonly clock: Clock;
};

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** `POST /device_authorization` (RFC 8628 section 3.1): a device without a browser asks for a code to show. */
export function createDeviceAuthorizationRoutes(
  options: DeviceAuthorizationRouteOptions,
): Hono<EdgeEnv> {
  const { issuer, resources, scopes, interactions, answerAuthenticated, limit, clock } = options;
  const app = new Hono<EdgeEnv>();

  app.post(endpointPaths.deviceAuthorization, limit, async (c) =>
    answerAuthenticated(await callOf(c), async (form, client) => {
      if (!client.grantTypes.includes(deviceGrant)) {
        throw new AuthorizationError(
          'unauthorized_client',
          `The client did not register for the grant type ${deviceGrant}: register it for that too.`,
        );
      }
      const started = await interactions.beginDevice(
        { clientId: client.clientId, ...checkAccess(form, { client, scopes, resources }) },
        c.get('context').caller.key,
      );
      const page = `${issuer}${endpointPaths.device}`;
      const answer = {
        device_code: started.deviceCode,
        user_code: started.userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${started.userCode}`,
        expires_in: Math.round((started.expiresAt - clock.now()) / 1_000),
        interval: started.intervalSeconds,
      };
      return c.json(answer, 200, noStore);
    }),
  );
  return app;
}

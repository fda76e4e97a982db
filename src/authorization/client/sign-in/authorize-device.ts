import * as oauth from 'oauth4webapi';
import { ClientError } from '../client-error.ts';
import { checkUrl } from '../discovery-fetch.ts';
import type { DeviceCode } from '../options.ts';
import type { Grant } from '../records.ts';
import { deviceGrant } from '../registration.ts';
import {
  authenticateClient,
  explainRefusal,
  isRefusal,
  libraryOptions,
  requestTokens,
  toLibrary,
} from '../request-tokens.ts';
import type { AuthorizationRequest } from './authorize.ts';

/** RFC 8628 section 3.5: added to the interval for each `slow_down`. */
const slowDownSeconds = 5;

/**
 * Signs in by the device flow (RFC 8628): shows the person a code and an address, and asks the token
 * endpoint in the server's interval until the person is done.
 *
 * Throws `ACCESS_DENIED`, `SIGN_IN_TIMED_OUT`, `UNSAFE_URL`, `AUTHORIZATION_REFUSED`.
 */
export async function authorizeDevice(
  { tokenEndpoint, scope, resource }: AuthorizationRequest,
  show: (code: DeviceCode) => unknown,
): Promise<Grant> {
  const { metadata, clock, signal } = tokenEndpoint;
  const device = await startDeviceFlow();
  await show({
    userCode: device.user_code,
    verificationUri: checkUrl(device.verification_uri, 'verification_uri').href,
    verificationUriComplete:
      device.verification_uri_complete === undefined
        ? undefined
        : checkUrl(device.verification_uri_complete, 'verification_uri_complete').href,
    expiresInSeconds: device.expires_in,
  });
  const end = clock.now() + device.expires_in * 1_000;
  let seconds = device.interval ?? 5; // RFC 8628 section 3.2
  while (clock.now() < end) {
    await clock.sleep(seconds * 1_000, signal);
    signal?.throwIfAborted();
    try {
      return await requestTokens(tokenEndpoint, {
        grantType: deviceGrant,
        parameters: { device_code: device.device_code, resource },
        scope,
      });
    } catch (error) {
      if (isRefusal(error, 'access_denied')) throw denied();
      if (isRefusal(error, 'expired_token')) break;
      if (isRefusal(error, 'slow_down')) seconds += slowDownSeconds;
      else if (!isRefusal(error, 'authorization_pending')) throw error;
    }
  }
  throw new ClientError(
    'SIGN_IN_TIMED_OUT',
    `Nobody entered the code at ${metadata.issuer} in time: start again.`,
  );

  async function startDeviceFlow() {
    const client = { client_id: tokenEndpoint.registration.clientId };
    const server = toLibrary(metadata);
    try {
      const response = await oauth.deviceAuthorizationRequest(
        server,
        client,
        await authenticateClient(tokenEndpoint),
        {
          ...(scope.length === 0 ? {} : { scope: scope.join(' ') }),
          ...(resource === undefined ? {} : { resource }),
        },
        libraryOptions(tokenEndpoint.fetch, signal),
      );
      return await oauth.processDeviceAuthorizationResponse(server, client, response);
    } catch (error) {
      throw explainRefusal(error, metadata);
    }
  }

  function denied(): ClientError {
    return new ClientError(
      'ACCESS_DENIED',
      `${metadata.issuer} denied this client access (access_denied).`,
      { details: { error: 'access_denied' } },
    );
  }
}

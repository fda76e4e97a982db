import type { ClientContext } from '../client-context.ts';
import { ClientError } from '../client-error.ts';
import type { Discovery, ServerMetadata } from '../discover.ts';
import type { DpopProver } from '../dpop.ts';
import type { Grant, Registration } from '../records.ts';
import { findRegistration, obtainRegistration } from '../registration.ts';
import { createTokenEndpoint, isRefusal } from '../request-tokens.ts';
import {
  type AuthorizationRequest,
  authorize,
  openRedirectListener,
  prepareAuthorization,
  type RedirectListener,
} from './authorize.ts';
import { authorizeDevice } from './authorize-device.ts';
import { openSystemBrowser } from './open-system-browser.ts';

type SignInWish = {
  readonly discovery: Discovery;
  readonly scope: readonly string[];
  readonly dpop: DpopProver | undefined;
  readonly signal?: AbortSignal | undefined;
};

const fiveMinutes = 5 * 60_000;

/**
 * Signs a person in: by the device flow if the caller wants it, else in a browser. If the server has
 * forgotten the registration, the client registers again without the person noticing.
 *
 * Throws `UNSUPPORTED` if the device flow is wanted and the server has none: the caller may have no
 * browser that can redirect to this machine, and would wait in vain.
 */
export async function signIn(context: ClientContext, wish: SignInWish): Promise<Grant> {
  const { options, random } = context;
  const { metadata, resource } = wish.discovery;
  const known = await findRegistration(context, metadata);
  const { showDeviceCode } = options;
  if (showDeviceCode === undefined) return byBrowser();
  if (metadata.device_authorization_endpoint === undefined) throw noDeviceFlow(metadata);
  return byDevice(showDeviceCode);

  function requestAs(registration: Registration): AuthorizationRequest {
    const tokenEndpoint = createTokenEndpoint(context, { ...wish, registration });
    return { tokenEndpoint, random, scope: wish.scope, resource };
  }

  async function byDevice(show: NonNullable<typeof options.showDeviceCode>): Promise<Grant> {
    // The flow has no redirect; registration wants one nevertheless.
    const registerAnew = () => anew(options.redirectUri ?? 'http://127.0.0.1/callback');
    const registration = known ?? (await registerAnew());
    return authorizeDevice(requestAs(registration), show).catch(async (error) => {
      if (registration !== known || !isForgotten(error, registration)) throw error;
      return authorizeDevice(requestAs(await registerAnew()), show);
    });
  }

  async function byBrowser(): Promise<Grant> {
    const listener = await openRedirectListener({
      configured: options.redirectUri,
      preferred: known?.redirectUri,
    });
    try {
      const registerAnew = () => anew(listener.redirectUri);
      const isUsable = known && (!known.isDynamic || known.redirectUri === listener.redirectUri);
      const registration =
        isUsable && (await isStillKnown(known, listener)) ? known : await registerAnew();
      return await ask(registration, listener).catch(async (error) => {
        if (registration !== known || !isForgotten(error, registration)) throw error;
        return ask(await registerAnew(), listener);
      });
    } finally {
      listener.close();
    }
  }

  function ask(registration: Registration, listener: RedirectListener): Promise<Grant> {
    const request = requestAs(registration);
    const prepared = prepareAuthorization(request, listener.redirectUri);
    const { openBrowser = printAndOpen, pasteRedirect, signInTimeoutMs = fiveMinutes } = options;
    const dialog = { openBrowser, pasteRedirect, timeoutMs: signInTimeoutMs };
    return authorize({ request, prepared, listener, dialog });
  }

  function anew(redirectUri: string): Promise<Registration> {
    return obtainRegistration(context, { metadata, redirectUri, signal: wish.signal });
  }

  /**
   * A server shows the person an error page for an unknown client and does not redirect, so the client
   * would wait in vain. It therefore asks the server before it sends the person there.
   */
  async function isStillKnown(registration: Registration, { redirectUri }: RedirectListener) {
    if (!registration.isDynamic) return true;
    const { url } = prepareAuthorization(requestAs(registration), redirectUri);
    const { status } = await context.fetch(url, { signal: wish.signal });
    return status < 400 || status >= 500;
  }
}

function noDeviceFlow({ issuer }: ServerMetadata): ClientError {
  return new ClientError(
    'UNSUPPORTED',
    `${issuer} does not support the device flow (RFC 8628): sign in with a browser instead, without showDeviceCode or --device.`,
  );
}

function isForgotten(error: unknown, { isDynamic }: Registration): boolean {
  return isDynamic && isRefusal(error, 'invalid_client', 'unauthorized_client');
}

function printAndOpen(url: string): void {
  process.stderr.write(`Sign in at ${url}\n`);
  openSystemBrowser(url);
}

import { signal } from '../../vendor/preact.js';
import { now } from '../clock.ts';
import { facts } from '../facts.ts';
import { hashText, keyThumbprint, learnTime, proveCall, randomText } from './dpop.ts';
import { forget, keep, readKept } from './key-store.ts';

/** What this browser holds after a sign-in. */
export type Session = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, by this machine's clock. */
  readonly expiresAt: number;
  readonly scope: readonly string[];
};

type Begun = { readonly state: string; readonly verifier: string; readonly returnTo: string };

const clientId = 'tradewind-console';
const redirectUri = `${facts.origin}/console/callback`;
/** A token is refreshed this long before it expires, so that it is still valid when a request arrives. */
const leewayMs = 30_000;

/** The session of this browser: `undefined` until the store was read, `null` if nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether the server ended the session of this page, as opposed to the person. */
export const wasEnded = signal(false);

/** Whether a person can sign in at this server at all. */
export const canSignIn = facts.services.includes('authorization');

/** Reads the session that an earlier page stored. */
export async function restoreSession(): Promise<void> {
  session.value = (await readKept<Session>('session')) ?? null;
}

/** Whether the person holds this scope. The server checks it again at each call. */
export function mayUse(scope: string): boolean {
  const held = session.value?.scope ?? [];
  return held.includes(scope) || held.includes('admin');
}

/**
 * Sends the person to sign in and back to `returnTo`, a path of this server (K11): an authorization code
 * with PKCE, bound to the key of this browser. A page that is shown under another name of the machine
 * goes to the server's own name first, where the session is.
 */
export async function signIn(returnTo = location.pathname + location.search): Promise<void> {
  if (location.origin !== facts.origin) {
    location.assign(facts.origin + returnTo);
    return;
  }
  const begun: Begun = { state: randomText(16), verifier: randomText(32), returnTo };
  await keep('begun', begun);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: begun.state,
    code_challenge: await hashText(begun.verifier),
    code_challenge_method: 'S256',
    dpop_jkt: await keyThumbprint(),
  });
  location.assign(`/authorize?${query}`);
}

/**
 * Redeems the code in the address, and returns the path that the person came from. Throws if the sign-in was not
 * begun in this browser or the server refused it.
 */
export async function finishSignIn(answer: URLSearchParams): Promise<string> {
  const begun = await readKept<Begun>('begun');
  await forget('begun');
  const isOurs = begun !== undefined && answer.get('state') === begun.state;
  if (!isOurs || answer.get('iss') !== facts.origin) {
    throw new Error('This sign-in was not begun in this browser, or it is over. Sign in again.');
  }
  const code = answer.get('code');
  if (code === null) {
    throw new Error(answer.get('error_description') ?? 'The server answered without a code.');
  }
  const tokens = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  await take({ ...tokens, code_verifier: begun.verifier });
  return begun.returnTo;
}

/** Ends the session here and at the server: revokes its tokens and signs this browser out (K11). */
export async function signOut(): Promise<void> {
  const held = await readKept<Session>('session');
  session.value = null;
  await forget('session');
  if (held !== undefined) {
    await post('/revoke', { token: held.refreshToken }).catch(() => undefined);
  }
  // Last, since the call that revokes is signed by it.
  await forget('key');
  await fetch('/account/sign-out', { method: 'POST' }).catch(() => undefined);
}

/** An access token that is valid for a while, refreshed if needed; `undefined` if nobody is signed in any more. */
export async function currentToken({ isRefused = '' } = {}): Promise<string | undefined> {
  const isGood = ({ accessToken, expiresAt }: Session) =>
    accessToken !== isRefused && expiresAt - leewayMs > now();
  if (session.value === undefined) await restoreSession();
  if (!session.value) return undefined;
  if (isGood(session.value)) return session.value.accessToken;
  // One tab refreshes at a time; the others find the tokens that it stored.
  return navigator.locks.request('tradewind-session', async () => {
    const kept = await readKept<Session>('session');
    if (kept === undefined) {
      session.value = null;
      return undefined;
    }
    if (isGood(kept)) {
      session.value = kept;
      return kept.accessToken;
    }
    const refresh = { grant_type: 'refresh_token', refresh_token: kept.refreshToken };
    return (await take(refresh)).accessToken;
  });
}

/** Forgets a session that the server no longer accepts. */
export async function drop(): Promise<void> {
  wasEnded.value = true;
  await forgetSession();
}

async function forgetSession(): Promise<void> {
  session.value = null;
  await forget('session');
  await forget('key');
}

async function take(form: Record<string, string>): Promise<Session> {
  const response = await post('/token', form);
  const answer = await response.json();
  if (!response.ok) {
    if (answer.error === 'invalid_grant') await drop();
    throw new Error(answer.error_description ?? `The server answered ${response.status}.`);
  }
  const taken: Session = {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: now() + answer.expires_in * 1_000,
    scope: String(answer.scope).split(' '),
  };
  await keep('session', taken);
  session.value = taken;
  return taken;
}

async function post(path: string, form: Record<string, string>): Promise<Response> {
  const send = async () =>
    fetch(path, {
      method: 'POST',
      headers: { DPoP: await proveCall({ method: 'POST', url: facts.origin + path }) },
      body: new URLSearchParams({ ...form, client_id: clientId }),
      credentials: 'omit',
    });
  const response = await send();
  if (response.status !== 400 && response.status !== 401) return response;
  const { error } = await response.clone().json();
  if (error !== 'invalid_dpop_proof') return response;
  learnTime(response);
  return send();
}

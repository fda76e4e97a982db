import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Pruning } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { authorizationLimits } from '../limits.ts';
import type { AccountId, SessionStatus } from '../model/account.ts';
import {
  beginSession,
  endSession,
  findSessionByCookie,
  pruneOldestSessions,
  pruneSessions,
  type Session,
  type SessionAge,
  touchSession,
} from '../store/session-store.ts';

/** The cookie of the browser that sent a request. */
export type BrowserCookie = {
  /** Its random value, to which the forms of the browser are bound. */
  readonly cookie: string;
  /** Whether the cookie came with this request; else it is only now being set. */
  readonly isKnown: boolean;
};

/** The browser that sent a request. */
export type Browser = BrowserCookie & {
  /** Who is signed in there. */
  readonly session: Session | undefined;
};

type SignedIn = {
  readonly accountId: AccountId;
  readonly identityProviderSessionId?: string | undefined;
};

/** Recognises browsers by one cookie, of which the store has only the hash (R7). */
export type Browsers = {
  /** The cookie of a request; a browser that has none yet gets one with the answer. */
  readCookie(c: Context<EdgeEnv>): BrowserCookie;
  /**
   * The browser of a request, with its cookie as above. A session that the identity provider has ended does not count
   * (S14). Throws as `isAlive` of the session's status.
   */
  read(c: Context<EdgeEnv>): Promise<Browser>;
  /**
   * Begins a session under a new cookie, so that whoever planted or knew the old one gains nothing (A11). Ends the
   * previous session of the browser. Returns the new cookie.
   */
  signIn(c: Context<EdgeEnv>, signedIn: SignedIn): Promise<string>;
  signOut(c: Context<EdgeEnv>): Promise<void>;
  /** The age beyond which a session no longer counts, as of now. */
  age(): SessionAge;
  /** Remove sessions that are over, and the least recently used ones beyond the bound (N5). */
  readonly prunings: readonly Pruning[];
};

type BrowserOptions = {
  readonly publicUrl: URL;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Whether the identity provider still honours a session by which somebody signed in. Throws
   * `temporarily_unavailable` where it does not answer and the operator wants that refused.
   */
  readonly sessionStatus: Pick<SessionStatus, 'isAlive'>;
  /** How long a session lasts without being used, and at most, in milliseconds. */
  readonly idleTime: number;
  readonly lifetime: number;
};

/** The shortest time between two writes of a session's last use. */
const touchEvery = 60_000;
const mostSessions = authorizationLimits.sessions.value;

export function createBrowsers(options: BrowserOptions): Browsers {
  const { publicUrl, database, clock, random, sessionStatus, idleTime, lifetime } = options;
  const cookieName = sessionCookieName(publicUrl);

  function giveCookie(c: Context<EdgeEnv>): string {
    const cookie = drawText(random, 32);
    addCookie(c, generateCookie(cookieName, cookie, cookieOptions(publicUrl, lifetime)));
    return cookie;
  }

  function cookieOf(c: Context<EdgeEnv>): string | undefined {
    const cookie = getCookie(c, cookieName);
    return cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : undefined;
  }

  const ageAt = (now: number): SessionAge => ({
    signedInAfter: now - lifetime,
    usedAfter: now - idleTime,
  });

  function readCookie(c: Context<EdgeEnv>): BrowserCookie {
    const cookie = cookieOf(c);
    return { cookie: cookie ?? giveCookie(c), isKnown: cookie !== undefined };
  }

  async function findSession(cookie: string): Promise<Session | undefined> {
    const now = clock.now();
    const cookieHash = hashSecret(cookie);
    const session = await findSessionByCookie(database, cookieHash, ageAt(now));
    if (session === undefined) return undefined;
    const { identityProviderSessionId: elsewhere, lastUsedAt } = session;
    if (elsewhere !== undefined && !(await sessionStatus.isAlive(elsewhere))) return undefined;
    if (lastUsedAt <= now - touchEvery) await touchSession(database, cookieHash, now);
    return session;
  }

  return {
    readCookie,
    async read(c) {
      const known = readCookie(c);
      return { ...known, session: known.isKnown ? await findSession(known.cookie) : undefined };
    },
    async signIn(c, { accountId, identityProviderSessionId }) {
      const before = cookieOf(c);
      const cookie = giveCookie(c);
      await beginSession(database, {
        cookieHash: hashSecret(cookie),
        accountId,
        identityProviderSessionId,
        at: clock.now(),
        replaces: before === undefined ? undefined : hashSecret(before),
        device: describeDevice(c.req.header('user-agent')),
        address: c.get('context')?.caller.address ?? '',
      });
      return cookie;
    },
    async signOut(c) {
      const cookie = cookieOf(c);
      if (cookie !== undefined) await endSession(database, hashSecret(cookie));
      giveCookie(c);
    },
    age: () => ageAt(clock.now()),
    prunings: [
      ({ now, limit }) => pruneSessions(database, { ...ageAt(now), limit }),
      ({ limit }) => pruneOldestSessions(database, { kept: mostSessions, limit }),
    ],
  };
}

/**
 * With `__Host-` no other host and no plain HTTP can set it. Plain HTTP is for loopback, where all
 * ports share their cookies, so there the port is part of the name.
 */
function sessionCookieName({ protocol, port }: URL): string {
  return protocol === 'https:' ? '__Host-tradewind' : `tradewind-${port || '80'}`;
}

/** Adds a cookie to whatever answer is made later. Hono's own function loses it if that is a plain `Response`. */
export function addCookie(c: Context<EdgeEnv>, cookie: string): void {
  c.res.headers.append('Set-Cookie', cookie);
}

/** `Lax`: the browser sends the cookie when another site links here, but not with a form of that site. */
export function cookieOptions(publicUrl: URL, lifetimeMs: number) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: publicUrl.protocol === 'https:',
    maxAge: Math.floor(lifetimeMs / 1_000),
  } as const;
}

const browsers: readonly (readonly [RegExp, string])[] = [
  // The first match counts: some browsers also name those below them.
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The browser and system that `User-Agent` names, in our own words: none of its text is kept. */
export function describeDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 500);
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(text))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined)
    return system === undefined ? 'Unknown device' : `A program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}

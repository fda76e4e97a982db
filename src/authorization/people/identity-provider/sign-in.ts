import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Sealer } from '../../../kernel/crypto/sealer.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { drawText, type Random } from '../../../kernel/model/random.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import {
  type AccountId,
  type AccountOf,
  type Claim,
  type SessionClaim,
  sessionIsOver,
} from '../../model/account.ts';
import { createPkce } from '../../protocol/pkce.ts';
import { addSignInAttempt, takeSignInAttempt } from '../../store/identity-provider-store.ts';
import { explainFailure } from './explain-failure.ts';
import type { Handshake, Provider } from './provider.ts';
import type { IdentityProviderSessions } from './sessions.ts';

/** Who signed in, and their session at the identity provider. */
type SignedIn = { readonly accountId: AccountId; readonly identityProviderSessionId: string };

/** What came of a sign-in. One that was begun to link it begins no session: the person is signed in already. */
type Result = SignedIn | 'linked' | AuthorizationError;

/** What a sign-in at the identity provider was begun for, and how it ended. */
type IdentityProviderOutcome = {
  /** The page it was begun on. */
  readonly placeId: string;
  readonly result: Result;
};

/** The server's steps of signing in through the identity provider; the browser makes the others. */
export type IdentityProviderSignIn = {
  /** What people call the identity provider. */
  readonly name: string;
  /** Where the browser goes, and a secret to come back with. Throws as `explainFailure` says. */
  begin(options: {
    placeId: string;
    mustSignIn: boolean;
    claim?: Claim | undefined;
  }): Promise<{ url: URL; state: string; secret: string }>;
  /**
   * Completes a sign-in that this browser began. Throws `access_denied` if another browser began it,
   * so that nobody can be tricked into completing somebody else's sign-in (A3). One that was begun in a session to link
   * it is refused unless the browser is still in it (F48).
   */
  complete(answer: URLSearchParams, back: CameBack): Promise<IdentityProviderOutcome>;
};

/** The browser that came back from the identity provider. */
type CameBack = {
  /** What its cookie of the sign-in says. */
  readonly secret: string | undefined;
  /** Finds the id of the session that it is in now. */
  sessionId(): Promise<string | undefined>;
};

/** Time for a person to find a password and a second factor. */
export const attemptLifetime = 15 * 60_000;

type Attempt = Handshake & { readonly placeId: string; readonly claim?: Claim | undefined };

export function createIdentityProviderSignIn(options: {
  name: string;
  /** The issuer, as identities name it. */
  issuer: string;
  provider: Provider;
  sessions: IdentityProviderSessions;
  accountOf: AccountOf;
  database: Database;
  sealer: Sealer;
  clock: Clock;
  random: Random;
}): IdentityProviderSignIn {
  const { name, issuer, provider, sessions, accountOf, database, sealer, clock, random } = options;
  const newSecret = () => drawText(random, 32);

  async function signIn(
    answer: URLSearchParams,
    { claim, ...handshake }: Handshake & Pick<Attempt, 'claim'>,
    back: CameBack,
  ): Promise<SignedIn | 'linked'> {
    const isLink = claim !== undefined && 'accountId' in claim;
    if (isLink && !isSame(await back.sessionId(), claim)) throw sessionIsOver('linked');
    const { tokens, person } = await provider.complete(answer, handshake);
    const account = await accountOf({ issuer, subject: person.subject, name: person.name }, claim);
    if (isLink) return 'linked';
    const identityProviderSessionId = await sessions.begin(account.id, tokens);
    return { accountId: account.id, identityProviderSessionId };
  }

  return {
    name,
    async begin({ placeId, mustSignIn, claim }) {
      const [state, nonce, secret] = [newSecret(), newSecret(), newSecret()];
      const { codeVerifier, codeChallenge } = createPkce(random);
      const handshake = { state, nonce, codeVerifier };
      try {
        const url = await provider.authorizationUrl({ ...handshake, codeChallenge, mustSignIn });
        const attempt: Attempt = { ...handshake, placeId, claim };
        const stateHash = hashSecret(state);
        await addSignInAttempt(database, {
          stateHash,
          cookieHash: hashSecret(secret),
          sealed: sealer.seal(JSON.stringify(attempt), stateHash),
          expiresAt: clock.now() + attemptLifetime,
        });
        return { url, state, secret };
      } catch (error) {
        throw explainFailure(error, name);
      }
    },

    async complete(answer, back) {
      const stateHash = hashSecret(answer.get('state') ?? '');
      const sealed = await takeSignInAttempt(database, {
        stateHash,
        cookieHash: hashSecret(back.secret ?? ''),
        now: clock.now(),
      });
      if (sealed === undefined) {
        throw new AuthorizationError(
          'access_denied',
          `This sign-in at ${name} was not begun in this browser, or it is over. Nothing was done. Go back to where you wanted to sign in and start again.`,
        );
      }
      const { placeId, ...handshake } = JSON.parse(sealer.open(sealed, stateHash)) as Attempt; // sealed above
      const result = await signIn(answer, handshake, back).catch((error: unknown) =>
        explainFailure(error, name),
      );
      return { placeId, result };
    },
  };
}

/** Whether the browser is in the session in which a sign-in was begun. Versions before F48 stored no session with it. */
function isSame(current: string | undefined, { sessionId }: Partial<SessionClaim>): boolean {
  return current !== undefined && current === sessionId;
}

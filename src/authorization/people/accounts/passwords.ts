import { createQueue } from '../../../kernel/wait/queue.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { authorizationLimits } from '../../limits.ts';

/** Hashes and checks passwords with argon2id (R7). */
export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches this hash. Without a hash the answer is no after the same work, so that its
   * time does not reveal whether an account exists. Whoever failed lately waits behind all others.
   */
  verify(password: string, hash: string | undefined, line?: Line): Promise<boolean>;
};

/** Where work waits: after a failure it runs only when nobody else waits. */
export type Line = 'ordinary' | 'afterFailure';

/** NIST SP 800-63B section 5.1.1.2: at least eight characters, and long ones are welcome. */
export const passwordLength = { least: 8, most: 256 } as const;

// Each takes 19 MiB and some 30 ms of a processor: more at once would only take memory.
const atOnce = authorizationLimits.passwordsAtOnce.value;
/** With so many waiting, further callers are refused at once instead of waiting for seconds. */
const mostWaiting: Readonly<Record<Line, number>> = {
  ordinary: authorizationLimits.passwordsWaiting.value,
  afterFailure: authorizationLimits.passwordsWaitingAfterFailure.value,
};

/**
 * The work happens on other threads, two at a time, in the library's defaults, which are those OWASP
 * recommends (19 MiB, two passes, one lane). Throws `temporarily_unavailable` when too many wait.
 */
export function createPasswords(): Passwords {
  const queue = createQueue(atOnce);

  async function inTurn<T>(work: () => Promise<T>, line: Line = 'ordinary'): Promise<T> {
    const isFull = queue.inside >= queue.places && queue.waitingOf(line) >= mostWaiting[line];
    if (isFull) {
      throw new AuthorizationError(
        'temporarily_unavailable',
        'Too many people are signing in at this moment: try again in a few seconds.',
      );
    }
    return queue.pass(work, { key: line, isLast: line === 'afterFailure' });
  }

  return {
    hash: (password) => inTurn(async () => (await argon2()).hash(password)),
    verify: (password, hash, line) =>
      inTurn(async () => {
        const { verify } = await argon2();
        const isRight = await verify(hash ?? nobodysHash, password);
        return isRight && hash !== undefined;
      }, line),
  };
}

/** Loaded at the first password, because a process may never need it. */
const argon2 = () => import('@node-rs/argon2');

/** Of a random password that was thrown away. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$/SE1/2PtJorjfiZyPbZpVw$btenuRqb8Dv5p8PYMCwwa+PWC/Kknn6V5mMP3DAKhVk';

/** A password that somebody chose, typed twice. Throws `invalid_request` when it cannot be one. */
export function checkNewPassword(password = '', repeated = ''): string {
  if (password !== repeated) {
    throw new AuthorizationError(
      'invalid_request',
      'The two passwords differ: type the same password twice.',
    );
  }
  const { least, most } = passwordLength;
  if ([...password].length < least || password.length > most) {
    throw new AuthorizationError(
      'invalid_request',
      `A password has from ${least} to ${most} characters: choose another.`,
    );
  }
  return password;
}

import { AuthorizationError } from '../../authorization-error.ts';
import { authorizationLimits } from '../../limits.ts';

/** Hashes and checks passwords with argon2id (R7). */
export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches this hash. Without a hash the answer is no after the same work, so that its
   * time does not reveal whether an account exists. In the second lane it waits behind all others.
   */
  verify(password: string, hash: string | undefined, lane?: Lane): Promise<boolean>;
};

/** NIST SP 800-63B section 5.1.1.2: at least eight characters, and long ones are welcome. */
export const passwordLength = { least: 8, most: 256 } as const;

// Each takes 19 MiB and some 30 ms of a processor: more at once would only take memory.
const atOnce = authorizationLimits.passwordsAtOnce.value;
/** With so many waiting, further callers are refused at once instead of waiting for seconds. */
const most = {
  first: authorizationLimits.passwordsWaiting.value,
  second: authorizationLimits.passwordsWaitingAfterFailure.value,
};

/**
 * The work happens on other threads, two at a time, in the library's defaults, which are those OWASP
 * recommends (19 MiB, two passes, one lane). Throws `temporarily_unavailable` when too many wait.
 */
export function createPasswords(): Passwords {
  const lanes = createTwoLanes({ places: atOnce, most });

  async function inTurn<T>(work: () => Promise<T>, lane: Lane = 'first'): Promise<T> {
    if (!lanes.hasRoom(lane)) {
      throw new AuthorizationError(
        'temporarily_unavailable',
        'Too many people are signing in at this moment: try again in a few seconds.',
      );
    }
    return lanes.pass(work, lane);
  }

  return {
    hash: (password) => inTurn(async () => (await argon2()).hash(password)),
    verify: (password, hash, lane) =>
      inTurn(async () => {
        const { verify } = await argon2();
        const isRight = await verify(hash ?? nobodysHash, password);
        return isRight && hash !== undefined;
      }, lane),
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

/** Work in the second lane runs only when none waits in the first. */
export type Lane = 'first' | 'second';

/** Lets a bounded number through at a time; the others wait in their lane, first come first served. */
type TwoLanes = {
  /** Whether work that arrives now can run or wait. */
  hasRoom(lane: Lane): boolean;
  /** Runs the work when its turn comes. */
  pass<T>(work: () => Promise<T>, lane: Lane): Promise<T>;
};

/** `places` bounds how many run at once, `most` how many wait in each lane: neither uses the other's room. */
export function createTwoLanes(options: {
  readonly places: number;
  readonly most: Readonly<Record<Lane, number>>;
}): TwoLanes {
  const { most } = options;
  const waiting: Record<Lane, (() => void)[]> = { first: [], second: [] };
  let free = options.places;

  const letNextIn = () => {
    const enter = waiting.first.shift() ?? waiting.second.shift();
    if (enter === undefined) free += 1;
    else enter();
  };

  return {
    hasRoom: (lane) => free > 0 || waiting[lane].length < most[lane],
    async pass(work, lane) {
      if (free > 0) free -= 1;
      else await new Promise<void>((enter) => void waiting[lane].push(enter));
      try {
        return await work();
      } finally {
        letNextIn();
      }
    },
  };
}

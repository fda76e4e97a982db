import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { notFound, StatusError } from '../../../kernel/edge/status-error.ts';
import { drawText, type Random } from '../../../kernel/model/random.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import type { Grants, RevokeIn } from '../../grants/grants.ts';
import { authorizationLimits } from '../../limits.ts';
import {
  type Account,
  type AccountId,
  isAdmin,
  newAccountId,
  type Role,
} from '../../model/account.ts';
import type { Scopes } from '../../protocol/scope.ts';
import { holdAccount } from '../../store/account-store.ts';
import { listGrants } from '../../store/grant-store.ts';
import type { Page } from '../../store/page.ts';
import { type LinkPurpose, replaceLink } from '../../store/password-store.ts';
import {
  findPerson,
  hasOtherOwner,
  insertPerson,
  listPeople,
  removePerson,
  type StoredPerson,
  setRole,
} from '../../store/person-store.ts';
import type { SessionAge } from '../../store/session-store.ts';
import { invitePlace } from '../place.ts';
import { endAllowed, tellOf } from './end-allowed.ts';
import { normalizeUsername } from './sign-in-by-password.ts';

/** An admin who manages people. Only an owner, or whoever runs the server, manages owners. */
export type PeopleManager = { readonly mayManageOwners: boolean };

/** A way to choose a password, which works once and until it expires. */
export type PasswordLinkGiven = { readonly url: string; readonly expiresAt: number };

/** What a change ended. */
type Ended = { readonly sessions: number; readonly grants: number };

/**
 * The people of a server as its admins manage them (T3). Everything throws `StatusError`: `NOT_FOUND`
 * for an unknown id, `PERMISSION_DENIED` where only an owner may, `FAILED_PRECONDITION` where the last
 * owner would be gone.
 */
export type ManagePeople = {
  list(page: Page): Promise<readonly StoredPerson[]>;
  find(id: string): Promise<StoredPerson>;
  /** Makes an account without a password, and the link by which its person chooses one. */
  invite(
    person: { readonly username: string; readonly role: Role },
    by: PeopleManager,
  ): Promise<{ readonly person: StoredPerson; readonly link: PasswordLinkGiven }>;
  /** Makes a member with a password that somebody chose for them. */
  add(person: { readonly username: string; readonly passwordHash: string }): Promise<void>;
  /** A person who stops being an admin loses the grants with scopes for admins. */
  changeRole(id: string, role: Role, by: PeopleManager): Promise<StoredPerson>;
  /** The password stays until the person has chosen another by the link, which then ends all other access. */
  resetPassword(
    id: string,
    by: PeopleManager,
  ): Promise<{ readonly person: StoredPerson; readonly link: PasswordLinkGiven }>;
  /** Signs the person out everywhere, revokes all their grants, and returns how many these were. */
  remove(id: string, by: PeopleManager): Promise<Ended>;
};

/** Where a link of each purpose leads, and how long it works. */
export const linkPaths = { invite: invitePlace.path, reset: '/account/reset' } as const;
const linkLifetimes = {
  invite: authorizationLimits.inviteLife.value,
  reset: authorizationLimits.resetLife.value,
} as const;

type ManagePeopleOptions = {
  readonly publicUrl: URL;
  readonly database: Database;
  readonly grants: Pick<Grants, 'transaction'>;
  readonly scopes: Scopes;
  /** The age beyond which a session no longer counts. */
  readonly sessionAge: () => SessionAge;
  readonly clock: Clock;
  readonly random: Random;
};

export function createManagePeople(options: ManagePeopleOptions): ManagePeople {
  const { database, grants, clock } = options;
  const ageNow = () => ({ now: clock.now(), ...options.sessionAge() });

  async function find(id: string): Promise<StoredPerson> {
    const person = await findPerson(database, id, ageNow());
    if (person === undefined) throw unknownPerson(id);
    return person;
  }

  /** Changes an account under a lock, so that nobody else changes it meanwhile. */
  function change<T>(
    id: string,
    by: PeopleManager,
    work: (changed: { tx: Transaction; account: Account; revoke: RevokeIn }) => Promise<T>,
  ): Promise<T> {
    return grants.transaction(async (tx, revoke) => {
      const account = await holdAccount(tx, id as AccountId); // an unknown id finds none
      if (account === undefined) throw unknownPerson(id);
      if (account.role === 'owner' && !by.mayManageOwners) throw onlyOwners();
      return work({ tx, account, revoke });
    });
  }

  async function keepAnOwner(tx: Transaction, { id, name, role }: Account): Promise<void> {
    if (role === 'owner' && !(await hasOtherOwner(database, tx, id))) throw lastOwner(name);
  }

  return {
    list: (page) => listPeople(database, { ...page, ...ageNow() }),
    find,
    async invite({ username, role }, by) {
      if (role === 'owner' && !by.mayManageOwners) throw onlyOwners();
      const { id, link } = await database.transaction(async (tx) => {
        const made = await insert(options, tx, { username, role, passwordHash: undefined });
        const link = await giveLink(options, tx, { accountId: made, purpose: 'invite' });
        return { id: made, link };
      });
      return { person: await find(id), link };
    },
    async add({ username, passwordHash }) {
      await insert(options, database, { username, role: 'member', passwordHash });
    },
    async changeRole(id, role, by) {
      if (role === 'owner' && !by.mayManageOwners) throw onlyOwners();
      await change(id, by, async ({ tx, account, revoke }) => {
        if (account.role === role) return;
        await keepAnOwner(tx, account);
        await setRole(tx, { id: account.id, role });
        if (!isAdmin({ role })) await endAdmin(options, tx, { account, revoke });
      });
      return find(id);
    },
    async resetPassword(id, by) {
      const person = await find(id);
      if (person.username === undefined) throw hasNoPassword(person);
      const purpose = person.isInvited ? 'invite' : 'reset';
      const link = await change(id, by, ({ tx, account }) =>
        giveLink(options, tx, { accountId: account.id, purpose }),
      );
      return { person, link };
    },
    async remove(id, by) {
      const { sessions } = await find(id);
      const revoked = await change(id, by, async ({ tx, account, revoke }) => {
        await keepAnOwner(tx, account);
        await removePerson(tx, account.id);
        return endAllowed({ tx, revoke }, { accountId: account.id, now: clock.now() });
      });
      return { sessions, grants: revoked.length };
    },
  };
}

/** Revokes what the person allowed as an admin. */
async function endAdmin(
  options: ManagePeopleOptions,
  tx: Transaction,
  { account: { id }, revoke }: { readonly account: Account; readonly revoke: RevokeIn },
): Promise<void> {
  const { clock, scopes } = options;
  const held = await listGrants(tx, id, { now: clock.now() });
  const lost = held.filter(({ scope }) => scope.some(scopes.isForAdmins));
  await revoke({ ids: lost.map((grant) => grant.id) });
  const stillHeld = scopes.names().filter((scope) => !scopes.isForAdmins(scope));
  await tellOf(tx, { now: clock.now(), accountId: id, stillHeld });
}

async function giveLink(
  { publicUrl, clock, random }: ManagePeopleOptions,
  tx: Transaction,
  { accountId, purpose }: { accountId: AccountId; purpose: LinkPurpose },
): Promise<PasswordLinkGiven> {
  const secret = drawText(random, 24);
  const expiresAt = clock.now() + linkLifetimes[purpose];
  await replaceLink(tx, { secretHash: hashSecret(secret), accountId, purpose, expiresAt });
  const url = new URL(linkPaths[purpose], publicUrl);
  url.searchParams.set('secret', secret);
  return { url: url.href, expiresAt };
}

async function insert(
  { clock, random }: ManagePeopleOptions,
  queries: Parameters<typeof insertPerson>[0],
  person: { username: string; role: Role; passwordHash: string | undefined },
): Promise<AccountId> {
  const name = checkUsername(person.username);
  const { role, passwordHash } = person;
  const id = newAccountId(random);
  const made = { id, name, role, passwordHash, at: clock.now() };
  if (await insertPerson(queries, made)) return id;
  throw nameTaken(name);
}

/** The normal form of a name. Throws `INVALID_ARGUMENT` for one that nobody could type or read. */
function checkUsername(given: string): string {
  const username = normalizeUsername(given);
  if (username !== '' && !/\p{C}/u.test(username)) return username;
  const description =
    username === ''
      ? 'is empty: choose a name of at most 80 characters'
      : 'contains invisible characters: write it with letters, digits and punctuation';
  throw new StatusError('INVALID_ARGUMENT', `The username ${description}.`, {
    reason: 'INVALID_FIELDS',
    fieldViolations: [{ field: 'username', description }],
  });
}

function nameTaken(username: string): StatusError {
  return new StatusError(
    'ALREADY_EXISTS',
    `An account cannot be called "${username}": the name is taken. Choose another.`,
    {
      reason: 'USERNAME_TAKEN',
      metadata: { username },
      fieldViolations: [{ field: 'username', description: 'is taken: choose another' }],
    },
  );
}

function unknownPerson(given: string): StatusError {
  return notFound(given, {
    type: 'Person',
    reason: 'PERSON_NOT_FOUND',
    message: (id) => `There is no person with the id ${id}: list people to see their ids.`,
  });
}

function onlyOwners(): StatusError {
  return new StatusError(
    'PERMISSION_DENIED',
    'Only an owner can add, change or remove owners: ask an owner.',
    { reason: 'OWNER_REQUIRED' },
  );
}

function lastOwner(name: string): StatusError {
  const description =
    'A server keeps at least one owner who can sign in: make somebody else owner first.';
  return new StatusError('FAILED_PRECONDITION', `${name} is the last owner. ${description}`, {
    reason: 'LAST_OWNER',
    metadata: { name },
    preconditionViolations: [{ type: 'LAST_OWNER', subject: name, description }],
  });
}

function hasNoPassword({ name, signsInBy }: StoredPerson): StatusError {
  const description =
    'A person who signs in by a wallet or at another server has no password here.';
  return new StatusError(
    'FAILED_PRECONDITION',
    `${name} signs in by ${signsInBy}. ${description}`,
    {
      reason: 'NO_PASSWORD',
      metadata: { name, signsInBy },
      preconditionViolations: [{ type: 'NO_PASSWORD', subject: name, description }],
    },
  );
}

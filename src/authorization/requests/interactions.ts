import { createHmac, hkdfSync } from 'node:crypto';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  asciiText,
} from '../authorization-error.ts';
import { isClientDocumentUrl } from '../clients/client-documents.ts';
import type { GrantChange, Grants } from '../grants/grants.ts';
import type { DeviceCode, DeviceCodes } from '../grants/redeem-device-code.ts';
import { authorizationLimits } from '../limits.ts';
import { type Account, type AccountId, isAdmin, sessionIsOver } from '../model/account.ts';
import type { ClientId, FindClient } from '../model/client.ts';
import type { NewGrant } from '../model/grant.ts';
import type { Interaction, InteractionId, WaitingRequest } from '../model/request.ts';
import type { Scope, Scopes } from '../protocol/scope.ts';
import {
  findInteraction,
  forgetOldestOf,
  insertInteraction,
  type NewInteraction,
  takeInteraction,
} from '../store/request-store.ts';
import { holdSession } from '../store/session-store.ts';
import { type CheckedRequest, checkSize } from './check-request.ts';

export type InteractionOptions = {
  readonly issuer: string;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly findClient: FindClient;
  /** Keeps a registered client and returns whether it exists; it then stays until the transaction ends. */
  readonly keepClientIn: (tx: Transaction, clientId: ClientId) => Promise<boolean>;
  /** The account, if it exists. Nobody can change it before the transaction ends. */
  readonly holdAccount: (tx: Transaction, accountId: AccountId) => Promise<Account | undefined>;
  readonly scopes: Scopes;
  readonly grants: Pick<Grants, 'issueCode' | 'create' | 'transaction'>;
  readonly deviceCodes: DeviceCodes;
  readonly clock: Clock;
  readonly random: Random;
};

/** Who decided, and how they had signed in. */
export type Approval = {
  readonly accountId: AccountId;
  /** What the person allowed, at most what was asked. */
  readonly scope: readonly Scope[];
  readonly identityProviderSessionId: string | undefined;
  /** The session of the browser in which they decided. If it ended meanwhile, nothing is allowed (F48). */
  readonly sessionId?: string | undefined;
};

/**
 * The requests that wait for people. Each can be decided once: of several concurrent decisions one counts, and the
 * others find no interaction.
 */
export type Interactions = {
  /**
   * Stores a request until a person decides on the page with the returned id. Removes the oldest requests of the
   * caller, as rate limits identify it, beyond a bound (F20). Throws `invalid_request` for one that is too large.
   */
  begin(request: CheckedRequest, caller: string): Promise<InteractionId>;
  /** The same for a device, whose page is found by the user code. */
  beginDevice(
    request: Pick<WaitingRequest, 'clientId' | 'scope' | 'resources'>,
    caller: string,
  ): Promise<StartedDevice>;
  find(id: string): Promise<Interaction | undefined>;
  /** The interaction of a device, by the code its person types in (RFC 8628 section 3.3). */
  findByUserCode(userCode: string): Promise<Interaction | undefined>;
  /**
   * Stores the grant and returns the redirect that carries the code; `undefined` for a device. Throws `access_denied`
   * for an account or session that is gone, and for a role that may allow nothing of it.
   */
  allow(id: InteractionId, approval: Approval): Promise<URL | undefined>;
  /** Returns the redirect that carries the error; `undefined` for a device. */
  deny(
    id: InteractionId,
    code: AuthorizationErrorCode,
    description: string,
  ): Promise<URL | undefined>;
};

/** A device that may now ask its person to type a code. */
type StartedDevice = Omit<DeviceCode, 'id'> & { readonly userCode: string };

/** An hour: time to find a password, sign in at the identity provider, and read. */
const lifetime = authorizationLimits.interactionLife.value;
const keptOfCaller = authorizationLimits.interactionsOfCaller.value;

/**
 * Stores requests until a person decides. The id of a request is a secret of its browser, so the store has only its
 * hash. The id of a device's request is an HMAC of its user code under a key of this server: the code leads to the
 * request, and the store has neither.
 */
export function createInteractions(options: InteractionOptions): Interactions {
  const { database, findClient, deviceCodes, scopes, clock, random } = options;
  const deviceInteractionId = createDeviceInteractionIds(options.masterKey);

  const find: Interactions['find'] = async (id) => {
    const found = await findInteraction(database, hashSecret(id), clock.now());
    if (found === undefined) return undefined;
    const { request, createdAt } = found;
    const client = await findClient(request.clientId);
    if (client === undefined) return undefined;
    const { scope, resources, answer, mustSignIn, loginHint } = request;
    const redirectUri = 'redirectUri' in answer ? answer.redirectUri : undefined;
    const shown = { client, redirectUri, scope, resources, createdAt, mustSignIn, loginHint };
    return { id: id as InteractionId, ...shown }; // it was just found by it
  };

  /** The only way to store a request, so that every request is bounded (F20). */
  const keep = async (
    tx: Transaction,
    id: string,
    { request, expiresAt, caller }: Omit<NewInteraction, 'createdAt'>,
  ) => {
    checkSize(JSON.stringify(request).length);
    const now = clock.now();
    await insertInteraction(tx, hashSecret(id), { request, createdAt: now, expiresAt, caller });
    await forgetOldestOf(tx, { caller, kept: keptOfCaller, now });
  };

  const take = async (tx: Transaction, id: InteractionId): Promise<WaitingRequest> => {
    const taken = await takeInteraction(tx, hashSecret(id), clock.now());
    if (taken !== undefined) return taken.request;
    throw requestIsOver();
  };

  // The publisher of a document keeps or removes it, so there is nothing to keep here.
  const isThere = async (tx: Transaction, clientId: ClientId) =>
    isClientDocumentUrl(clientId) || options.keepClientIn(tx, clientId);

  return {
    find,
    findByUserCode: (userCode) => find(deviceInteractionId(userCode)),
    async begin(request, caller) {
      const id = drawText(random, 32) as InteractionId; // made here and by user codes, nowhere else
      const expiresAt = clock.now() + lifetime;
      await database.transaction((tx) => keep(tx, id, { request, expiresAt, caller }));
      return id;
    },
    beginDevice(asked, caller) {
      return database.transaction(async (tx) => {
        const { id: deviceCodeId, ...device } = await deviceCodes.start(tx, asked.clientId);
        const userCode = createUserCode(random);
        const request = { ...asked, answer: { deviceCodeId }, mustSignIn: false };
        const { expiresAt } = device;
        await keep(tx, deviceInteractionId(userCode), { request, expiresAt, caller });
        return { ...device, userCode };
      });
    },
    allow(id, { accountId, scope: allowed, ...session }) {
      return options.grants.transaction(async (tx, revoke) => {
        const { clientId, scope: asked, resources, answer } = await take(tx, id);
        const account = await holdDecider(options, tx, { accountId, ...session });
        if (!(await isThere(tx, clientId))) throw requestIsOver();
        const may = (each: Scope) => isAdmin(account) || !scopes.isForAdmins(each);
        // The current role counts: a person who lost it since the page was shown cannot grant its scopes.
        const scope = asked.filter((each) => allowed.includes(each) && may(each));
        if (scope.length === 0) throw roleLost();
        const grant = { accountId, clientId, scope, resources, ...session };
        return handOut(options, { tx, revoke }, { grant, answer });
      });
    },
    deny(id, error, description) {
      return database.transaction(async (tx) => {
        const { answer } = await take(tx, id);
        return refuse(options, tx, { answer, error, description });
      });
    },
  };
}

/** The account of whoever decided, which with its session stays until the transaction ends. Throws `access_denied` if either is gone. */
async function holdDecider(
  options: InteractionOptions,
  tx: Transaction,
  { accountId, sessionId }: Pick<Approval, 'accountId' | 'sessionId'>,
): Promise<Account> {
  const account = await options.holdAccount(tx, accountId);
  if (account === undefined) throw accountRemoved();
  if (sessionId === undefined || (await holdSession(tx, { sessionId, accountId }))) return account;
  throw sessionIsOver('allowed');
}

/** Stores the grant and returns the redirect that carries the code; a device gets its tokens with its next poll. */
async function handOut(
  { issuer: iss, grants, deviceCodes }: InteractionOptions,
  change: GrantChange,
  { grant, answer }: { grant: NewGrant; answer: WaitingRequest['answer'] },
): Promise<URL | undefined> {
  if ('deviceCodeId' in answer) {
    const grantId = await grants.create(change, grant);
    await deviceCodes.allow(change.tx, answer.deviceCodeId, grantId);
    return undefined;
  }
  const { redirectUri, state, codeChallenge, dpopThumbprint } = answer;
  const bound = { redirectUri, codeChallenge, dpopThumbprint };
  const code = await grants.issueCode(change, grant, bound);
  return answerUrl(redirectUri, { code, state, iss });
}

/** Returns the redirect that carries the refusal; a device gets the refusal with its next poll. */
async function refuse(
  { issuer: iss, deviceCodes }: InteractionOptions,
  tx: Transaction,
  refusal: {
    answer: WaitingRequest['answer'];
    error: AuthorizationErrorCode;
    description: string;
  },
): Promise<URL | undefined> {
  const { answer, error, description } = refusal;
  if ('deviceCodeId' in answer) {
    await deviceCodes.deny(tx, answer.deviceCodeId);
    return undefined;
  }
  const { redirectUri, state } = answer;
  const error_description = asciiText(description);
  return answerUrl(redirectUri, { error, error_description, state, iss });
}

/** How the id of a device's interaction is made from its user code, under a key that only this server has. */
function createDeviceInteractionIds(masterKey: Uint8Array): (userCode: string) => string {
  const key = new Uint8Array(
    hkdfSync('sha256', masterKey, '', 'tradewind device interactions', 32),
  );
  return (userCode) =>
    createHmac('sha256', key).update(normalizeUserCode(userCode)).digest('base64url');
}

/** The refusal of a request that is decided, expired or removed. */
export function requestIsOver(): AuthorizationError {
  return new AuthorizationError(
    'invalid_request',
    'This request for access is over: it has been decided already, it waited too long, or the program that asked has been removed. Go back to the program that sent you here and start again.',
  );
}

function roleLost(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    'Your account may no longer allow this, so nothing was allowed: ask an admin of this server.',
  );
}

function accountRemoved(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    'Your account has been removed, so nothing was allowed: sign in with another one.',
  );
}

/** No vowels, so no words; nothing that looks like something else (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
/** 20^8 is 2.5e10: at the few tries a minute that the page allows nobody finds one in its lifetime. */
const length = 8;

/** A code for a person to type, as in `WDJB-MJHT`. */
export function createUserCode(random: Random): string {
  let code = '';
  while (code.length < length) {
    // Above the last multiple of 20 some letters would come more often.
    for (const byte of random.bytes(length)) {
      if (byte < 240 && code.length < length) code += letters[byte % letters.length];
    }
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes a typed code: letter case, spaces and dashes make no difference. */
export function normalizeUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, '');
}

/**
 * A redirect URI with the answer in its query, after what the client had there already. The issuer is
 * part of every answer, errors included (RFC 9207), so that a client can tell servers apart.
 */
export function answerUrl(
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>> & { readonly iss: string },
): URL {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) query.set(name, value);
  }
  // Appended as text, because the URL interface would rewrite the client's own query.
  const separator = redirectUri.includes('?') ? '&' : '?';
  return new URL(`${redirectUri}${separator}${query}`);
}

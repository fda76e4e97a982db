import type { AccountId } from '../../src/authorization/model/account.ts';
import type { ClientId } from '../../src/authorization/model/client.ts';
import type { GrantId } from '../../src/authorization/model/grant.ts';
import { insertGrant } from '../../src/authorization/store/grant-store.ts';
import type { EventsCaller } from '../../src/events/model/caller.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import { createInProcessEventBus } from '../../src/kernel/work/event-bus.ts';
import { openOutboxRelay } from '../../src/kernel/work/outbox.ts';
import { grantToken, manageWith } from './grant-token.ts';
import { openTestAuthorization, withOwner } from './open-test-authorization.ts';
import { openTestEvents } from './open-test-events.ts';
import { startWorker } from './start-worker.ts';

export const subscriber = ['subscriptions.read', 'subscriptions.write'];

/**
 * Authorization and change notifications over one database, joined as the product joins them: changes travel by the
 * outbox. `allow` stores a grant, and returns the token with which `call` speaks for it.
 */
export async function openAuthorizedEvents(
  database: Database,
  settings: NonNullable<Parameters<typeof openTestEvents>[1]>['settings'] = {},
  options: Pick<
    NonNullable<Parameters<typeof openTestAuthorization>[0]>,
    'environment' | 'clock'
  > & {
    /** The clock of the events; a fake one of their own by default. */
    readonly eventsClock?: Clock;
  } = {},
) {
  const { eventsClock, environment, ...rest } = options;
  const service = await openTestAuthorization({
    database,
    ...rest,
    environment: { ...withOwner, ...environment },
  });
  const owner = await grantToken(service, { scope: 'admin' });
  const manage = manageWith(service, owner.access_token);
  const callers = new Map<string, EventsCaller>();
  const bus = createInProcessEventBus();
  const events = await openTestEvents(database, {
    settings,
    bus,
    ...(eventsClock && { clock: eventsClock }),
    heldScopes: service.authorization.heldScopes,
    isSignedIn: service.authorization.isSignedIn,
    identifyCaller: async (request, scopes) => {
      const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
      const caller = callers.get(token);
      if (caller !== undefined && scopes.some((scope) => caller.scope.includes(scope)))
        return { caller };
      const refusal = { message: 'No.', challenges: [] };
      return caller === undefined
        ? { refusal: { reason: 'invalid', ...refusal } }
        : { refusal: { reason: 'insufficient_scope', ...refusal } };
    },
  });
  const relay = await openOutboxRelay({ database, bus, clock: systemClock, random: systemRandom });
  startWorker(relay);

  /** A person whom the owner invited. */
  async function invite(username: string, role = 'member'): Promise<string> {
    return String((await manage('POST', '/v1/people', { username, role })).body.id);
  }

  function speakAs(caller: Omit<EventsCaller, 'expiresAt'>): string {
    const token = `token-${callers.size}`;
    callers.set(token, { ...caller, expiresAt: Number.POSITIVE_INFINITY });
    return token;
  }

  async function allow(
    accountId: string,
    {
      clientId,
      scope = subscriber,
      lifetime = 3_600_000,
    }: { clientId: string; scope?: readonly string[]; lifetime?: number },
  ) {
    const id = `grant-${callers.size}`;
    const now = service.clock.now();
    const grant = {
      id: id as GrantId,
      accountId: accountId as AccountId,
      clientId: clientId as ClientId,
      scope,
      resources: [],
      identityProviderSessionId: undefined,
      createdAt: now,
    };
    await insertGrant(database, grant, now + lifetime);
    return speakAs({ subject: accountId, clientId, isPerson: true, grantId: id, scope });
  }

  /** A client that the operator made and that acts for itself. */
  async function makeClient(scope: readonly string[]) {
    const response = await service.request('/register', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${owner.access_token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(clientWith(scope)),
    });
    const clientId = String(((await response.json()) as Record<string, unknown>).client_id);
    const token = speakAs({ subject: clientId, clientId, isPerson: false, scope });
    const put = (given: readonly string[]) =>
      manage('PUT', `/register/${clientId}`, { client_id: clientId, ...clientWith(given) });
    return { clientId, token, put };
  }

  async function stateOf(name: string): Promise<string> {
    const { state, suspensionReason } = (
      await events.call('GET', `/v1/monitor/${name}`, { as: operator })
    ).body.subscription;
    return suspensionReason === undefined ? state : `${state} ${suspensionReason}`;
  }

  const operator = speakAs({
    subject: 'operator',
    clientId: 'operator',
    isPerson: true,
    scope: [...subscriber, 'admin'],
  });
  return {
    ...events,
    service,
    manage,
    ownerToken: async () => owner.access_token,
    operator,
    invite,
    allow,
    speakAs,
    makeClient,
    stateOf,
    newClient: async (metadata: object = {}) =>
      String((await service.register(metadata)).client_id),
  };
}

function clientWith(scope: readonly string[]) {
  return {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
    scope: scope.join(' '),
  };
}

import { type Clock, systemClock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import { rememberVerified } from '../protocol/access-token.ts';
import { createProofCheck, type SpendId } from '../protocol/dpop-proof.ts';
import { parseResource } from '../protocol/resource.ts';
import { resourceMetadataUrl } from './challenge.ts';
import { createIntrospection, createIssuerKeys } from './issuer-keys.ts';
import { judgeRequests } from './judge-requests.ts';
import type { ResourceGuard } from './principal.ts';

/**
 * What {@link createGuard} needs to know.
 *
 * @example
 * ```ts
 * import { createGuard, type GuardOptions } from 'tradewind/guard';
 *
 * const options: GuardOptions = {
 *   issuer: 'https://tradewind.example.com',
 *   resource: 'https://api.example.com/mcp',
 *   introspection: { clientId: 'crm', clientSecret: process.env.CLIENT_SECRET ?? '' },
 * };
 * export const guard = createGuard(options);
 * ```
 */
export type GuardOptions = {
  /** The authorization server, as its metadata names itself: `https://tradewind.example.com`. */
  readonly issuer: string;
  /** The address of the protected server, which its tokens must be for: `https://api.example.com/mcp`. */
  readonly resource: string;
  /**
   * The credentials of a client that the operator of the authorization server made for this server. With
   * them the guard asks whether a token was revoked and refuses it within a second. Without them it accepts
   * a revoked token until it expires, ten minutes unless set otherwise.
   */
  readonly introspection?: { readonly clientId: string; readonly clientSecret: string };
  /** The scopes of the protected server, which its metadata names to clients. */
  readonly scopes?: readonly string[];
  /** What people read on the consent page. */
  readonly name?: string;
  /** Where the resource is described; at its well-known address (RFC 9728) unless said otherwise. */
  readonly resourceMetadata?: string;
  readonly fetch?: typeof fetch;
  readonly clock?: Omit<Clock, 'turn'>;
};

/**
 * A guard for a server that is not the authorization server. It verifies tokens with the keys that the
 * authorization server publishes, which it reads at first use and keeps.
 *
 * The guard remembers DPoP proofs only in this process: of several processes behind one address, each
 * accepts a proof once. When the authorization server must be asked and does not answer, `check` throws
 * `temporarily_unavailable` and `protect` answers 503.
 *
 * @example
 * ```ts
 * import { createGuard } from 'tradewind/guard';
 *
 * const guard = createGuard({
 *   issuer: 'https://tradewind.example.com',
 *   resource: 'https://api.example.com/mcp',
 *   scopes: ['crm.read'],
 * });
 * const answer = await guard.protect(new Request('https://api.example.com/mcp'), { scope: ['crm.read'] });
 * console.log(answer instanceof Response && answer.status); // 401: no token came
 * ```
 */
export function createGuard(options: GuardOptions): ResourceGuard {
  const { issuer, introspection, fetch: send = fetch } = options;
  const clock = { ...systemClock, ...options.clock };
  const resource = parseResource(options.resource);
  const { origin } = new URL(resource);
  const metadata = options.resourceMetadata ?? resourceMetadataUrl(resource);
  const keys = createIssuerKeys({ issuer, fetch: send, clock });
  const readKnown = rememberVerified(keys.find);

  const guard = judgeRequests({
    async read(token) {
      await keys.prepare(token);
      const claims = readKnown(token);
      if (claims.iss === issuer) return claims;
      throw new AuthorizationError(
        'invalid_token',
        `The access token names another issuer than ${issuer}: ask that server for one.`,
      );
    },
    isLive:
      introspection === undefined
        ? () => true
        : createIntrospection({ ...introspection, endpoints: keys.endpoints, fetch: send, clock }),
    resourceOf: () => ({ resource, metadata, origin }),
    checkProof: createProofCheck({ spendId: rememberSpent(clock), clock }),
    clock,
  });
  const { pathname, search } = new URL(metadata);
  return {
    ...guard,
    metadata: {
      path: pathname + search,
      document: {
        resource,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        ...(options.scopes && { scopes_supported: options.scopes }),
        ...(options.name && { resource_name: options.name }),
      },
    },
  };
}

const most = authorizationLimits.spentIdsOfGuard.value;
const mostOfCaller = authorizationLimits.spentIdsOfCallerOfGuard.value;

/**
 * Remembers in memory which ids were used, until they expire. None is forgotten earlier, as its proof could then be used
 * again: throws `temporarily_unavailable` for a caller beyond its share, and for all when the memory is full.
 */
export function rememberSpent(clock: Clock): SpendId {
  const spent = new Map<string, { readonly until: number; readonly caller: string }>();
  const ofCaller = new Map<string, number>();

  function forgetExpired(): void {
    for (const [oldest, { until, caller }] of spent) {
      if (until > clock.now()) break;
      spent.delete(oldest);
      const left = (ofCaller.get(caller) ?? 1) - 1;
      if (left === 0) ofCaller.delete(caller);
      else ofCaller.set(caller, left);
    }
  }

  return async (id, until, caller) => {
    forgetExpired();
    if (spent.has(id)) return false;
    const held = ofCaller.get(caller) ?? 0;
    if (held >= mostOfCaller) throw tooMany(mostOfCaller, 'you');
    if (spent.size >= most) throw tooMany(most, 'all callers');
    spent.set(id, { until, caller });
    ofCaller.set(caller, held + 1);
    return true;
  };
}

function tooMany(limit: number, who: string): AuthorizationError {
  return new AuthorizationError(
    'temporarily_unavailable',
    `${limit} proofs of ${who} are remembered here, which is the limit: send fewer, and try again in a minute.`,
  );
}

import type { Queries } from '../../kernel/database/database.ts';
import { scopesNeeded } from '../applications/require-scopes.ts';
import type { EventsCaller } from '../model/caller.ts';
import { EventsError, type PreconditionViolation } from '../model/events-error.ts';
import type { Subscription } from '../model/subscription.ts';
import { readers, writers } from '../scopes.ts';
import type { SubscriptionContext } from './subscription-context.ts';

/** What the authority of a subscription holds at the moment. */
type Holding = {
  /** What it lacks; undefined if it may have the subscription. */
  readonly problem: PreconditionViolation | undefined;
  /** It is an admin, who sees what every account publishes. */
  readonly seesAll: boolean;
};

/**
 * Returns a function that asks whether the person and the client of a subscription may still have it (E3.33, F49): all
 * of its event types, as the owner. Asked in the transaction that makes the subscription active or renews it, nobody
 * withdraws it meanwhile; whoever withdraws it later finds the subscription.
 */
export async function authorityOver(
  { catalogue, heldScopes }: Pick<SubscriptionContext, 'catalogue' | 'heldScopes'>,
  options: Pick<Subscription, 'eventTypes' | 'targetResource'> & {
    readonly caller: EventsCaller;
    /** One of these is needed, beside those of the event types. */
    readonly scopes?: readonly string[];
  },
): Promise<(queries: Queries) => Promise<Holding>> {
  // Read before the transaction, which should need no second connection.
  const { caller, eventTypes, targetResource, scopes = writers } = options;
  const ofTypes = await scopesNeeded({ catalogue, eventTypes, targetResource });
  const needed = [scopes, ...ofTypes];
  const { clientId, subject, isPerson, grantId } = caller;
  return async (queries) => {
    const accountId = isPerson ? subject : undefined;
    const held =
      heldScopes === undefined
        ? caller.scope
        : await heldScopes(queries, { clientId, accountId, grantId });
    const lacking = needed.find((scopes) => !scopes.some((scope) => held.includes(scope)));
    const isGone = held.length === 0;
    const problem = lacking && withdrawn({ caller, lacking, isGone });
    return { problem, seesAll: held.includes('admin') };
  };
}

/** As `authorityOver`, for a caller that acts with a token of its own. Throws `PERMISSION_DENIED`. */
export function requireHolding({ problem, seesAll }: Holding): Pick<Holding, 'seesAll'> {
  if (problem === undefined) return { seesAll };
  const { type, description } = problem;
  throw new EventsError('PERMISSION_DENIED', description, {
    reason: 'AUTHORITY_WITHDRAWN',
    metadata: { type, description },
  });
}

function withdrawn({
  caller: { clientId, isPerson },
  lacking,
  isGone,
}: {
  readonly caller: EventsCaller;
  readonly lacking: readonly string[];
  readonly isGone: boolean;
}): PreconditionViolation {
  const what = isGone ? 'what it was allowed' : `the scope ${lacking.join(' or ')}`;
  return isPerson
    ? {
        type: 'USER_SCOPE_REVOKED',
        subject: clientId,
        description: `The client no longer has ${what} for the person of the subscription: that person must allow it again there.`,
      }
    : {
        type: 'APP_SCOPE_REVOKED',
        subject: clientId,
        description: `The client of the subscription no longer has ${what}: an admin must give it back.`,
      };
}

/** The scopes of which one is needed to have a subscription: what an MCP client only reads needs less (M66). */
export function scopesFor({
  mcp,
  notificationEndpoint,
}: Pick<Subscription, 'mcp' | 'notificationEndpoint'>): readonly string[] {
  return mcp !== undefined && notificationEndpoint.kind === 'eventStream' ? readers : writers;
}

import type { Context } from 'hono';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import type { AuthorizationError } from '../authorization-error.ts';
import type { Claim } from '../model/account.ts';
import type { InteractionId } from '../model/request.ts';
import type { Form } from '../protocol/form.ts';

/** Where a person signs in: on the way through an interaction, or to their own account. */
export type Place = {
  /** What forms and wallets' messages are bound to. */
  readonly id: string;
  /** The page to come back to; what is posted there goes to paths below it. */
  readonly path: `/${string}`;
};

/** Finds the place that a request belongs to. Throws where there is none. */
export type FindPlace = (c: Context<EdgeEnv>) => Promise<Place>;

export const accountPlace: Place = { id: 'account', path: '/account' };

/** Where somebody accepts an invitation, and where a person links a further way to sign in: parts of the account page. */
export const invitePlace = {
  id: 'account-invite',
  path: '/account/invite',
} as const satisfies Place;
export const linkPlace = { id: 'account-link', path: '/account/link' } as const satisfies Place;

/** The page to show after what was done at a place. */
export function pathAfter({ id, path }: Place): string {
  return id === invitePlace.id || id === linkPlace.id ? accountPlace.path : path;
}

export function interactionPlace(id: InteractionId): Place {
  return { id, path: `/authorize/${id}` };
}

/** A place where people prove an identity: to sign in, or to have it lead to an account from now on. */
export type ProofPlace = {
  readonly placeOf: FindPlace;
  /** The account to link to; absent where people sign in. Throws `access_denied` for who may not. */
  readonly claimOf?: (c: Context<EdgeEnv>, form: Form) => Promise<Claim>;
  /** The page of the place, with what kept the person from going on. */
  readonly showRefusal: (
    c: Context<EdgeEnv>,
    refused: {
      readonly place: Place;
      readonly cookie: string;
      readonly form: Form;
      readonly error: AuthorizationError;
    },
  ) => Promise<Response>;
};

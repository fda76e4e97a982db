import type { Context } from 'hono';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import type { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Claim } from '../../model/identity.ts';
import type { FindPlace, Place } from './place.ts';

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

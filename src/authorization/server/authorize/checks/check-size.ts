import { AuthorizationError } from '../../../authorization-error.ts';
import { authorizationLimits } from '../../../limits.ts';

const most = authorizationLimits.waitingRequest.value;

/** Checks that a request is small enough to wait for a person (F20). Throws `invalid_request`. */
export function checkSize(length: number): void {
  if (length <= most) return;
  throw new AuthorizationError(
    'invalid_request',
    `The request has ${length} characters, and ${most} are allowed: send fewer resources and shorter parameters.`,
  );
}

import { AuthorizationError } from '../../../authorization-error.ts';
import { authorizationLimits } from '../../../limits.ts';

const most = authorizationLimits.waitingRequest.value;

/** That a request is small enough to be kept until a person decides (F20). Throws `invalid_request`. */
export function checkSize(length: number): void {
  if (length <= most) return;
  throw new AuthorizationError(
    'invalid_request',
    `The request has ${length} characters, and ${most} are allowed: send fewer resources and shorter parameters.`,
  );
}

import type { EndpointProblem } from '../../delivery/endpoints/endpoint.ts';
import { EventsError } from '../../errors/events-error.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import type { Subscription } from '../../model/subscription.ts';
import type { SubscriptionContext } from '../subscription-context.ts';

/**
 * Checks whether events may be sent to the endpoint of a new subscription. Throws
 * `INVALID_ARGUMENT` for its signing secret or address, otherwise the status that the endpoint's
 * kind gives.
 */
export async function requireEndpoint(
  {
    checkEndpoint,
    background: { signal },
  }: Pick<SubscriptionContext, 'checkEndpoint' | 'background'>,
  options: { readonly subscription: Subscription; readonly signingSecret: string | undefined },
): Promise<void> {
  const { subscription, signingSecret } = options;
  const problem = await checkEndpoint(subscription.notificationEndpoint, { signingSecret, signal });
  if (problem !== undefined) throw endpointRefused(problem);
}

function endpointRefused({ status, reason, message, field: part }: EndpointProblem): EventsError {
  const field = ['notificationEndpoint', part].filter(Boolean).join('.');
  if (status === 'INVALID_ARGUMENT') {
    return invalidArgument([{ field, description: message }], reason);
  }
  return new EventsError(status, message, {
    reason,
    metadata: { message },
    ...(status === 'FAILED_PRECONDITION'
      ? { preconditionViolations: [{ type: reason, subject: field, description: message }] }
      : {}),
  });
}

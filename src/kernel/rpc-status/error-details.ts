import type { StatusError } from './status-error.ts';

const detailTypes = 'type.googleapis.com/google.rpc.';

/**
 * The details of an error for programs: exactly one `ErrorInfo`, and each other kind at most once
 * (E8.17-E8.21).
 */
export function errorDetails(error: StatusError, domain: string): object[] {
  const { reason, metadata, fieldViolations, preconditionViolations, resource } = error;
  const { retryAfterSeconds } = error;
  return [
    { '@type': `${detailTypes}ErrorInfo`, reason, domain, metadata },
    ...(fieldViolations.length > 0
      ? [{ '@type': `${detailTypes}BadRequest`, fieldViolations }]
      : []),
    ...(preconditionViolations.length > 0
      ? [{ '@type': `${detailTypes}PreconditionFailure`, violations: preconditionViolations }]
      : []),
    ...(resource === undefined
      ? []
      : [
          {
            '@type': `${detailTypes}ResourceInfo`,
            resourceType: resource.type,
            resourceName: resource.name,
          },
        ]),
    ...(retryAfterSeconds === undefined
      ? []
      : [{ '@type': `${detailTypes}RetryInfo`, retryDelay: `${retryAfterSeconds}s` }]),
  ];
}

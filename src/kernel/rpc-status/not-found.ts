import { StatusError } from './status-error.ts';

/** The most of a given id that a message repeats. */
const longestId = 64;

/** The refusal of an id that names nothing, or nothing of the caller. `message` gets the id at a length fit to show. */
export function notFound(
  given: string,
  { type, reason, message }: { type: string; reason: string; message: (id: string) => string },
): StatusError {
  const id = given.slice(0, longestId);
  const resource = { type: `tradewind/${type}`, name: id };
  return new StatusError('NOT_FOUND', message(id), { reason, metadata: { id }, resource });
}

import { z } from 'zod';
import { StatusError } from '../../../kernel/rpc-status/status-error.ts';
import type { Manager } from './identify-manager.ts';

export const personQuery = {
  person: z.string().optional().describe('Only those of the person with this id.'),
};

/**
 * Whose things a manager may list: a person their own, an admin everybody's, or those of one person.
 * `undefined` is everybody. Throws `PERMISSION_DENIED` for those of somebody else.
 */
export function ownerOf(
  { isAdmin, personId }: Manager,
  wanted: string | undefined,
): string | undefined {
  if (isAdmin || wanted === personId) return wanted;
  if (wanted === undefined) return personId;
  throw new StatusError(
    'PERMISSION_DENIED',
    'These belong to somebody else: ask for your own, or with the scope admin.',
    { reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' },
  );
}

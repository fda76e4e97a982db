import type { Transaction } from '../../../kernel/database/database.ts';
import { EventsError } from '../../errors/events-error.ts';
import type { CatalogueMatch } from '../../model/application.ts';
import { holdApplication } from '../../store/application-store.ts';

/**
 * Goes with what makes a subscription active: the catalogue is remembered for a moment, so its
 * application may be gone by now (E14.16). Throws `ABORTED` then, and else keeps it until the end of
 * the transaction.
 */
export async function requireApplication(tx: Transaction, match: CatalogueMatch): Promise<void> {
  const { name, isBuiltIn } = match.application;
  if (isBuiltIn || (await holdApplication(tx, name))) return;
  throw new EventsError(
    'ABORTED',
    `The application ${name} was removed meanwhile: its targets cannot be subscribed to any more.`,
    { reason: 'APPLICATION_REMOVED', metadata: { name } },
  );
}

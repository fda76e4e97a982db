import type { Transaction } from '../../../kernel/database/database.ts';
import { EventsError } from '../../errors/events-error.ts';
import type { CatalogueMatch } from '../../model/application.ts';
import { holdApplication } from '../../store/application-store.ts';

/**
 * Part of every transaction that makes a subscription active. The catalogue is cached for a moment, so the application
 * may have been removed by now (E14.16): then throws `ABORTED`. Otherwise locks it until the transaction ends.
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

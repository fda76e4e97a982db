import type { Database } from '../../kernel/database/database.ts';
import type { Migration } from '../../kernel/database/migrate.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { Application, Target } from '../applications/application.ts';

/** What an operator says of an application. */
export type ApplicationDefinition = Pick<Application, 'name' | 'scopes'> & {
  readonly targets: readonly Pick<Target, 'pattern' | 'eventTypes'>[];
};

/** The applications that operators added. */
export type ApplicationStore = {
  /** In the order of their names. */
  list(): Promise<ApplicationDefinition[]>;
  /** Answers false, and changes nothing, where the name is taken. */
  add(application: ApplicationDefinition, addedAt: number): Promise<boolean>;
  /** Answers whether it was there. */
  remove(name: string): Promise<boolean>;
};

export const applicationMigration: Migration = {
  id: 'events-0003-applications',
  statements: ({ sortedText }) => [
    `CREATE TABLE events_applications (
      name ${sortedText} PRIMARY KEY,
      definition TEXT NOT NULL,
      added_at BIGINT NOT NULL
    )`,
  ],
};

export function createApplicationStore(database: Database): ApplicationStore {
  return {
    async list() {
      const rows = await database.all<{ definition: string }>(
        sql`SELECT definition FROM events_applications ORDER BY name`,
      );
      return rows.map(({ definition }) => JSON.parse(definition));
    },
    async add({ name, targets, scopes }, addedAt) {
      const definition = JSON.stringify({ name, targets, scopes });
      const added = await database.run(sql`
        INSERT INTO events_applications (name, definition, added_at)
        VALUES (${name}, ${definition}, ${addedAt}) ON CONFLICT (name) DO NOTHING`);
      return added === 1;
    },
    async remove(name) {
      return (await database.run(sql`DELETE FROM events_applications WHERE name = ${name}`)) === 1;
    },
  };
}

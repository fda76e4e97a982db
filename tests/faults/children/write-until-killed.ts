import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/kernel/database/open-database.ts';
import { sql } from '../../../src/kernel/database/sql.ts';

/**
 * Writes single rows and transactions of three rows in 64 concurrent loops until it is killed. Prints
 * each write that was acknowledged. Arguments: the options of the database as JSON, and a name for this
 * run.
 */
const [options = '', run = ''] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(options));
// A blocking write without the stream's buffer: the output survives when the process is killed.
const say = (line: string) => writeSync(1, `${line}\n`);
await Promise.all(Array.from({ length: 64 }, (_, hand) => writeForever(hand)));

async function writeForever(hand: number): Promise<never> {
  for (let count = 0; ; count++) {
    const id = `${run}-${hand}-${count}`;
    if ((hand + count) % 2 === 0) {
      await database.run(sql`INSERT INTO singles (id) VALUES (${id})`);
      say(`single ${id}`);
    } else {
      await database.transaction(async (tx) => {
        for (const part of [1, 2, 3]) {
          await tx.run(sql`INSERT INTO triples (id, part) VALUES (${id}, ${part})`);
        }
      });
      say(`triple ${id}`);
    }
  }
}

import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/kernel/database/open-database.ts';
import { systemClock } from '../../../src/kernel/wait/clock.ts';
import { answered, openTokenWorld, type TokenAnswer } from '../../support/open-token-world.ts';

/**
 * Redeems codes and refreshes their tokens in 16 concurrent loops until it is killed. For each answer it
 * prints the name of the grant, the form that redeemed its code, and the tokens.
 * Argument: the options of the database as JSON.
 */
const database = await openDatabase(JSON.parse(process.argv[2] ?? ''));
const world = await openTokenWorld({ database, clock: systemClock });
// A blocking write without the stream's buffer: the output survives when the process is killed.
const say = (said: object) => writeSync(1, `${JSON.stringify(said)}\n`);
await Promise.all(Array.from({ length: 16 }, (_, hand) => issueForever(hand)));

async function issueForever(hand: number): Promise<never> {
  for (let count = 0; ; count++) {
    const form = await world.allow();
    const grant = `${hand}-${count}`;
    let tokens: TokenAnswer = answered(await world.post('/token', form));
    say({ grant, form, tokens });
    for (let refresh = 0; refresh < 3; refresh++) {
      tokens = answered(await world.refresh(tokens.refresh_token));
      say({ grant, form, tokens });
    }
  }
}

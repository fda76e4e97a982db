import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/kernel/database/open-database.ts';
import { openListener } from '../../../src/kernel/edge/listener/open-listener.ts';
import { systemClock } from '../../../src/kernel/wait/clock.ts';
import { openTokenWorld } from '../../support/open-token-world.ts';

/**
 * Serves the token endpoint until it is killed. Prints its address, and then each line of its log. Argument: the
 * options of the database as JSON.
 */
const say = (line: string) => void writeSync(1, `${line.trim()}\n`);
const database = await openDatabase(JSON.parse(process.argv[2] ?? ''));
const { edge } = await openTokenWorld({ database, clock: systemClock, onLogged: say });
const { url } = await openListener({
  fetch: edge.fetch,
  answerDirectly: edge.answerDirectly,
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
  clock: systemClock,
});
say(url);

import { z } from 'zod';
import type { ManagementAnswers } from '../../authorization/wire.ts';
import { count } from '../../kernel/text/text.ts';
import type { Command } from '../command.ts';
import { confirm, yesOption } from '../input/confirm.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import {
  listPages,
  managementHelp,
  managementOptions,
  openManagement,
} from '../server/management.ts';
import { renderTable } from '../terminal.ts';

type Answers = ManagementAnswers['sessions'];

const listShape = {
  sessions: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      device: z.string(),
      address: z.string(),
      signedIn: z.string(),
      lastUsed: z.string(),
    }),
  ),
};
const endedShape = { ended: z.looseObject({ grants: z.number() }) };

/** `tradewind sessions`: the browsers in which people are signed in at a server. */
export const sessionsCommand: Command = {
  operands: 'list | end <id>',
  description: `${managementHelp}\nWithout the role admin, people see and end only their own sessions; the sign-in asks for account.manage. Ending a session revokes the grants that were allowed in it.\n\n  tradewind sessions list\n  tradewind sessions end sX3…`,
  options: { ...managementOptions, yes: yesOption },
  async run(input) {
    const [action, id, ...rest] = input.operands;
    const isEnd = action === 'end';
    const isKnown = isEnd || action === 'list';
    if (!isKnown || rest.length > 0 || (id === undefined) === isEnd) throw misused();
    const client = await openManagement(input, 'account.manage');
    const { stdout } = input.terminal;
    const pages = await listPages<Answers['list']>(client, '/v1/sessions', listShape);
    const sessions = pages.flatMap((page) => page.sessions);
    if (!isEnd) {
      stdout.write(input.flags.json ? `${JSON.stringify({ sessions })}\n` : render(sessions));
      return 0;
    }
    const found = sessions.find((session) => session.id === id);
    if (found === undefined) throw unknown(id ?? '');
    const effects = `This signs ${found.name} out of ${found.device} and revokes every grant that was allowed in this session; subscriptions that depend on these grants are suspended.`;
    if (!(await confirm(input, effects))) return 1;
    const json = await client.request<Answers['delete']>(
      'DELETE',
      `/v1/sessions/${id}`,
      endedShape,
    );
    const text = `Ended ${id}: ${count(json.ended.grants, 'grant')} revoked.\n`;
    stdout.write(input.flags.json ? `${JSON.stringify({ removed: id, ...json })}\n` : text);
    return 0;
  },
};

function render(sessions: Answers['list']['sessions']): string {
  const rows = sessions.map(({ id, name, device, address, signedIn, lastUsed }) =>
    [name, device, address, signedIn, lastUsed, id].map(plainText),
  );
  const head = ['NAME', 'DEVICE', 'ADDRESS', 'SIGNED IN', 'LAST USED', 'ID'];
  return rows.length === 0 ? 'Nobody is signed in.\n' : renderTable([head, ...rows]);
}

function unknown(id: string): UsageError {
  return new UsageError(`There is no session ${JSON.stringify(id)}: see tradewind sessions list.`);
}

function misused(): UsageError {
  return new UsageError('Say what to do: sessions list, or sessions end <id>.');
}

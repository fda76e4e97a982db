import { z } from 'zod';
import {
  createAuthorizedFetch,
  type HeldGrant,
  type RevokedGrant,
  readHeldGrants,
  revokeGrants,
} from '../../authorization/client/index.ts';
import type { ManagementAnswers } from '../../authorization/wire.ts';
import { systemClock } from '../../kernel/wait/clock.ts';
import { orLate } from '../../kernel/wait/deadline.ts';
import type { Command, CommandInput } from '../command.ts';
import { plainText } from '../plain-text.ts';
import { subjectOf } from '../render/grants.ts';
import { clientOptions } from '../server/client-options.ts';
import { createEventsClient } from '../server/events-client.ts';
import { listSubscriptions } from '../server/list-subscriptions.ts';
import { listPages } from '../server/management.ts';
import { parseServer } from '../server/mcp/find-context-server.ts';
import { serverOption } from '../server/server-option.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind logout`: revokes every grant at the server, and forgets them even if that fails. */
export const logoutCommand: Command = {
  operands: '[server]',
  description:
    'Revokes all grants that are kept on this machine for the server, whatever path they are for. They are\nforgotten even if the server cannot be reached. The command first names the subscriptions that depend on them;\nsigning out suspends these.',
  options: {
    server: serverOption,
    json: { type: 'boolean', help: 'Print the outcome as JSON.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const { origin } = parseServer(input);
    const suspended = await findWhatStops(input, origin);
    if (suspended.length > 0 && !input.flags.json) stdout.write(tellWhatStops(suspended));
    const grants = await showProgress(stderr, 'signing out', () =>
      revokeGrants(clientOptions(origin, input)),
    );
    const told = grants.map(describe).join('') || `No grant was kept for ${origin}.\n`;
    stdout.write(input.flags.json ? `${JSON.stringify({ grants, suspended })}\n` : told);
    return 0;
  },
};

const grantsShape = {
  grants: z.array(
    z.looseObject({ clientId: z.string(), personId: z.string(), scopes: z.array(z.string()) }),
  ),
};

/**
 * The caller's active subscriptions that signing out suspends. None if another grant to the same client, such as one
 * on another machine, has the same scopes, or if that cannot be determined.
 */
async function findWhatStops(input: CommandInput, origin: string): Promise<readonly string[]> {
  const options = clientOptions(origin, input);
  const held = await readHeldGrants(options);
  if (held.length === 0) return [];
  try {
    const fetchAuthorized = await createAuthorizedFetch({ ...options, isInteractive: false });
    const client = createEventsClient(origin, fetchAuthorized);
    const listing = Promise.all([
      listSubscriptions(client, []),
      listPages<ManagementAnswers['grants']['list']>(client, '/v1/grants', grantsShape),
    ]);
    // A server that does not answer must not prevent signing out.
    const patience = { clock: systemClock, milliseconds: 5_000, late: () => undefined };
    const [listed, pages] = (await orLate(listing, patience)) ?? [[], []];
    const others = pages
      .flatMap(({ grants }) => grants)
      .filter((grant) => held.some((own) => holdsAsMuch(grant, own)));
    if (others.length > held.length) return []; // the matches include our own grants
    return listed.filter(({ state }) => state === 'ACTIVE').map(({ name }) => name);
  } catch {
    return []; // not a Tradewind server, no answer, or a grant without the scope for subscriptions
  }
}

function holdsAsMuch(
  { clientId, personId, scopes }: ManagementAnswers['grants']['list']['grants'][number],
  own: HeldGrant,
): boolean {
  const isSame = clientId === own.clientId && personId === subjectOf(own.accessToken);
  return isSame && own.scope.every((word) => scopes.includes(word));
}

function tellWhatStops(names: readonly string[]): string {
  const [first] = names;
  const isOne = names.length === 1;
  const which = isOne ? `the subscription ${first}` : `${names.length} subscriptions`;
  const list = isOne ? '' : `${names.map((name) => `  ${plainText(name)}\n`).join('')}`;
  return `This suspends ${plainText(which)}; after the next sign-in, tradewind subscriptions reactivate <name> reactivates ${isOne ? 'it' : 'one'}.\n${list}`;
}

function describe({ server, resource = server, isRevoked }: RevokedGrant): string {
  const doubt = isRevoked ? '' : ', but the server did not confirm the revocation';
  return `Signed out of ${plainText(resource)}${doubt}.\n`;
}

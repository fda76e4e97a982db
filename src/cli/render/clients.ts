import { plainText } from '../plain-text.ts';
import type { RegisteredClient } from '../server/management/create-registration-client.ts';
import { renderTable } from './table.ts';

/** A table of clients, in the order of their names. */
export function renderClients(clients: readonly RegisteredClient[]): string {
  if (clients.length === 0)
    return 'There are no clients: none was added, and none has registered itself.\n';
  const rows = clients
    .map(({ client_id, client_name = '', origin = '', grant_types, scope, last_used_at }) =>
      [
        client_id,
        client_name,
        origin,
        shortGrants(grant_types),
        scope,
        writeTime(last_used_at),
      ].map(plainText),
    )
    .toSorted(([, a = ''], [, b = '']) => a.localeCompare(b));
  return renderTable([['CLIENT', 'NAME', 'MADE BY', 'GRANTS', 'SCOPE', 'LAST USED'], ...rows]);
}

/** A client that was just made, with the secret that is shown this once. */
export function renderNewClient(client: RegisteredClient): string {
  const { client_id, client_secret, redirect_uris, grant_types, scope } = client;
  const facts = [
    ['Client id', client_id],
    ...(client_secret === undefined ? [] : [['Secret', client_secret]]),
    ['Grants', grant_types.join(', ')],
    ['Scope', scope],
    ...redirect_uris.map((uri) => ['Redirect', uri]),
  ];
  const shown = facts.map(
    ([name = '', value = '']) => `  ${name.padEnd(9)}  ${plainText(value)}\n`,
  );
  const note =
    client_secret === undefined ? '' : '\nThe secret is shown only once: store it now.\n';
  return `\n${shown.join('')}${note}\n`;
}

/** To the minute, which is the precision that the server stores. */
function writeTime(seconds: number | undefined): string {
  return seconds === undefined ? '-' : `${new Date(seconds * 1_000).toISOString().slice(0, 16)}Z`;
}

/** The last word of a grant type's name tells it from the others. */
function shortGrants(grantTypes: readonly string[]): string {
  return grantTypes.map((type) => type.split(':').at(-1)).join(', ');
}

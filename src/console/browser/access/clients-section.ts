import { html, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { facts } from '../facts.ts';
import { count, Moment } from '../parts/text.ts';
import { useAnswer } from '../use-answer.ts';
import { countSubscriptions, ListSection, listAll, useChanges } from './lists.ts';

type Grant = {
  readonly id: string;
  readonly personId: string;
  readonly clientId: string;
  readonly clientName?: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly granted: string;
  readonly lastUsed: string;
};

type Person = { readonly id: string; readonly name: string };

type Client = {
  readonly client_id: string;
  readonly client_name?: string;
  readonly origin: string;
  readonly grant_types: readonly string[];
  readonly scope: string;
};

/** A client and its grants. A client that is not in the list is built in or has a metadata document. */
type ListedClient = {
  readonly id: string;
  readonly name: string;
  readonly made: string;
  readonly isManaged: boolean;
  readonly grants: readonly (Grant & { readonly person: string })[];
  readonly own: string | undefined;
};

/** Clients, their grants and when each was last used (K6). */
export function ClientsSection({ isAdmin }: { isAdmin: boolean }): VNode {
  const clients = useAnswer((signal) => load(isAdmin, signal));
  const { ask, view } = useChanges(clients.again);

  const revoke = async (client: ListedClient, grant: ListedClient['grants'][number]) => {
    const { clientId, personId } = grant;
    const subscriptions = await countSubscriptions({ clientId, personId });
    const isThis = clientId === 'tradewind-console';
    ask({
      title: `Revoke what ${client.name} was allowed?`,
      effects: isThis
        ? `You are signed out of these pages at once, and so is every other browser in which ${grant.person} allowed the same. Signing in again undoes it.`
        : `Every token with which it may use ${grant.scopes.join(', ')} for ${grant.person} ends${subscriptions && `, and ${subscriptions} that it made for ${grant.person} will be suspended`}. ${client.name} can ask again${subscriptions && '; then each suspended subscription can be reactivated'}.`,
      action: 'Revoke',
      run: () => callApi(`/v1/grants/${grant.id}`, { method: 'DELETE' }),
    });
  };

  const remove = async (client: ListedClient) => {
    const subscriptions = await countSubscriptions({ clientId: client.id });
    ask({
      title: `Remove ${client.name}?`,
      effects: `It cannot ask for access any more. ${client.grants.length > 0 ? `${count(client.grants.length, 'grant')} and all` : 'All'} of its tokens end${subscriptions && `, and ${subscriptions} of it will be suspended`}. This cannot be undone; a client that registers itself can register again.`,
      action: `Remove ${client.name}`,
      run: () => callApi(`/register/${client.id}`, { method: 'DELETE' }),
    });
  };

  const list = (
    items: readonly ListedClient[],
  ) => html`${items.length === 0 && html`<p class="empty">No program has access yet. Try <code>npx tradewind login</code>.</p>`}
    ${items.length > 0 && items.every(({ id }) => id === 'tradewind-console') && html`<p class="hint">Programs that get access from a person appear here, too. Try it: <code>npx tradewind login ${facts.origin}</code></p>`}
    <ul class="list">${items.map(
      (
        client,
      ) => html`<li key=${client.id}><div><div class="bar"><span><strong>${client.name}</strong> <span class="badge">${client.made}</span></span>
        ${client.isManaged && html`<button type="button" class="quiet bad" onClick=${() => remove(client)}>Remove<span class="unseen"> ${client.name}</span></button>`}</div>
        ${client.own && html`<p class="hint">Acts for itself with ${client.own}.</p>`}
        ${client.grants.map(
          (
            grant,
          ) => html`<div class="grant"><p class="hint">May use ${grant.scopes.map((scope) => html`<code>${scope}</code> `)}${isAdmin ? ` for ${grant.person}` : ''}, last used <${Moment} at=${grant.lastUsed} />.</p>
          <button type="button" class="quiet bad" onClick=${() => revoke(client, grant)}>Revoke<span class="unseen"> what ${client.name} may do</span></button></div>`,
        )}</div></li>`,
    )}</ul>`;
  return html`<${ListSection} id="clients" title="Clients" asked=${clients} waiting="Asking what was allowed …" changes=${view} list=${list} />`;
}

async function load(isAdmin: boolean, signal: AbortSignal): Promise<readonly ListedClient[]> {
  const [grants, clients, people] = await Promise.all([
    listAll<Grant>('/v1/grants', 'grants', signal),
    isAdmin ? listClients(signal) : [],
    isAdmin ? listAll<Person>('/v1/people', 'people', signal) : [],
  ]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const known = new Map(clients.map((client) => [client.client_id, client]));
  const ids = [...new Set([...grants.map(({ clientId }) => clientId), ...known.keys()])];
  return ids.map((id) => {
    const client = known.get(id);
    const allowed = grants
      .filter(({ clientId }) => clientId === id)
      .map((grant) => ({ ...grant, person: names.get(grant.personId) ?? grant.personId }));
    const isAutomation = client?.grant_types.includes('client_credentials') === true;
    return {
      id,
      name: client?.client_name ?? allowed[0]?.clientName ?? id,
      made: client === undefined ? originOf(id) : (origins[client.origin] ?? client.origin),
      isManaged: client !== undefined,
      grants: allowed,
      own: isAutomation ? client.scope : undefined,
    };
  });
}

const origins: Readonly<Record<string, string>> = {
  operator: 'made by an admin',
  registered: 'registered itself',
};

/** The origin of a client that is not in the list: the server itself, or a metadata document at its URL. */
function originOf(id: string): string {
  return id.startsWith('http') ? `describes itself at ${new URL(id).host}` : 'part of this server';
}

async function listClients(signal: AbortSignal): Promise<readonly Client[]> {
  const clients: Client[] = [];
  let after = '';
  do {
    const page = await callApi<{ clients: Client[]; next?: string }>('/register', {
      query: { limit: 1_000, after },
      signal,
    });
    clients.push(...page.clients);
    after = page.next ?? '';
  } while (after !== '');
  return clients;
}

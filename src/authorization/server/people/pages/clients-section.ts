import { html } from 'hono/html';
import type { Html } from '../../../../kernel/http/page/render-page.ts';
import type { Scopes } from '../../../protocol/scope.ts';
import type { Client } from '../../model/client.ts';
import { scopeField } from './chosen-scope.ts';
import { clientNameOf } from './consent-page.ts';
import { buttonForm, type FormFrame, postForm, strangersName } from './form-parts.ts';

/** Which clients may ask for access, for admins (S10). */
export function clientsSection(
  frame: FormFrame & { readonly scopes: Scopes },
  clients: readonly Client[],
): Html {
  const { scopes } = frame;
  return html`<section class="card" aria-labelledby="clients"><h2 id="clients">Clients</h2>
${
  clients.length === 0
    ? html`<p class="muted">No client was added, and none registered itself. The programs of this server are not listed.</p>`
    : html`<ul class="list">${clients.map((client) => clientItem(frame, client))}</ul>`
}
<details><summary>Add a client</summary>
${postForm(
  frame,
  'add-client',
  html`<label for="client-name">Name</label>
<input id="client-name" name="name" type="text" autocomplete="off" required maxlength="80">
<label for="kind">Kind</label>
<select id="kind" name="kind">
<option value="public">Acts for people, keeps no secret: a desktop or command-line program</option>
<option value="confidential">Acts for people, keeps a secret: a web server</option>
<option value="service">Acts for itself, with a secret: a back end</option>
</select>
<label for="redirects">Redirect URIs</label>
<textarea id="redirects" name="redirects" rows="2" spellcheck="false" aria-describedby="redirects-rule"></textarea>
<p class="hint" id="redirects-rule">One per line, https or localhost. A client that acts for itself has none.</p>
<fieldset><legend>It may ask for</legend>${scopes
    .names()
    .map(
      (scope) =>
        html`<label class="tick"><input type="checkbox" name="${scopeField(scope)}" value="yes" ${scopes.isForAdmins(scope) ? '' : 'checked'}><span>${scopes.describe(scope)}</span></label>`,
    )}</fieldset>
<div class="row"><button>Add client</button></div>`,
)}</details>
</section>`;
}

function clientItem(frame: FormFrame, client: Client): Html {
  const { clientId, origin, redirectUris } = client;
  const name = strangersName(clientNameOf(client));
  return html`<li><div><strong>${name}</strong> <span class="badge">${origin === 'operator' ? 'made by an admin' : 'registered itself'}</span>
<br><span class="muted"><code>${clientId}</code>${redirectUris.map((uri) => html`<br>${uri}`)}</span></div>
${buttonForm(frame, 'remove-client', { label: 'Remove', kind: 'quiet bad', about: name, values: { client: clientId } })}</li>`;
}

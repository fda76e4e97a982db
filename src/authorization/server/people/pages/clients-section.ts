import { html } from 'hono/html';
import type { Html } from '../../../../kernel/http/page/render-page.ts';
import type { Scope, Scopes } from '../../../protocol/scope.ts';
import type { Client } from '../../model/client.ts';
import { scopeField } from './chosen-scope.ts';
import { clientNameOf } from './consent-page.ts';
import {
  buttonForm,
  type FormFrame,
  findRefused,
  notice,
  postForm,
  type RefusedForm,
  type RefusingFrame,
  strangersName,
} from './form-parts.ts';

/** Which clients may ask for access, for admins (S10). */
export function clientsSection(
  frame: RefusingFrame & { readonly scopes: Scopes },
  clients: readonly Client[],
): Html {
  const refused = findRefused(frame, 'add-client');
  return html`<section class="card" aria-labelledby="clients"><h2 id="clients">Clients</h2>
${
  clients.length === 0
    ? html`<p class="muted">No client was added, and none registered itself. The programs of this server are not listed.</p>`
    : html`<ul class="list">${clients.map((client) => clientItem(frame, client))}</ul>`
}
<details ${refused.error ? 'open' : ''}><summary>Add a client</summary>
${postForm(frame, 'add-client', clientFields(frame.scopes, refused))}</details>
</section>`;
}

const kinds = [
  ['public', 'Acts for people, keeps no secret: a desktop or command-line program'],
  ['confidential', 'Acts for people, keeps a secret: a web server'],
  ['service', 'Acts for itself, with a secret: a back end'],
] as const;

/** The fields of a new client; of a refused one as they were typed, with the problem beside its field. */
function clientFields(scopes: Scopes, { typed, error }: Partial<RefusedForm>): Html {
  const ofRedirects = error?.code === 'invalid_redirect_uri' ? error.message : undefined;
  const ofOthers = ofRedirects === undefined ? error?.message : undefined;
  const isTicked = (scope: Scope) =>
    typed === undefined ? !scopes.isForAdmins(scope) : typed.get(scopeField(scope)) !== undefined;
  return html`${notice(ofOthers)}
<label for="client-name">Name</label>
<input id="client-name" name="name" type="text" autocomplete="off" required maxlength="80" value="${typed?.get('name') ?? ''}" ${ofOthers ? 'autofocus' : ''}>
<label for="kind">Kind</label>
<select id="kind" name="kind">
${kinds.map(([kind, text]) => html`<option value="${kind}" ${typed?.get('kind') === kind ? 'selected' : ''}>${text}</option>`)}
</select>
<label for="redirects">Redirect URIs</label>
<textarea id="redirects" name="redirects" rows="2" spellcheck="false" aria-describedby="redirects-rule${ofRedirects ? ' redirects-problem' : ''}" ${ofRedirects ? html`aria-invalid="true" autofocus` : ''}>${typed?.get('redirects') ?? ''}</textarea>
<p class="hint" id="redirects-rule">One per line, https or localhost. A client that acts for itself has none.</p>
<div id="redirects-problem">${notice(ofRedirects)}</div>
<fieldset><legend>It may ask for</legend>${scopes
    .names()
    .map(
      (scope) =>
        html`<label class="tick"><input type="checkbox" name="${scopeField(scope)}" value="yes" ${isTicked(scope) ? 'checked' : ''}><span>${scopes.describe(scope)}</span></label>`,
    )}</fieldset>
<div class="row"><button>Add client</button></div>`;
}

function clientItem(frame: FormFrame, client: Client): Html {
  const { clientId, origin, redirectUris } = client;
  const name = strangersName(clientNameOf(client));
  return html`<li><div><strong>${name}</strong> <span class="badge">${origin === 'operator' ? 'made by an admin' : 'registered itself'}</span>
<br><span class="muted"><code>${clientId}</code>${redirectUris.map((uri) => html`<br>${uri}`)}</span></div>
${buttonForm(frame, 'remove-client', { label: 'Remove', kind: 'quiet bad', about: name, values: { client: clientId } })}</li>`;
}

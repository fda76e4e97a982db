import { html } from 'hono/html';
import { type Html, renderPage } from '../../../kernel/edge/page.ts';
import { isLoopbackHost } from '../../../kernel/model/network.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import type { Account } from '../../model/account.ts';
import type { Client } from '../../model/client.ts';
import type { Interaction } from '../../model/request.ts';
import type { Scope, Scopes } from '../../protocol/scope.ts';
import { adminScope } from '../../scopes.ts';
import { scopeField, tickedField } from '../manage-clients.ts';
import {
  buttonForm,
  type FormFrame,
  hasOddLetters,
  notice,
  postForm,
  strangersName,
} from './form-parts.ts';

type ConsentPage = FormFrame & {
  readonly interaction: Interaction;
  readonly account: Account;
  /** What this person can allow of what was asked. */
  readonly scope: readonly Scope[];
  readonly scopes: Scopes;
  readonly problem: string | undefined;
  /** What people call other servers, by their addresses. */
  readonly nameOfResource: (resource: string) => string | undefined;
  /** The origin of this server, which needs no mention as a resource. */
  readonly ownOrigin: string;
};

/** The consent page: who asks, where the answer goes, what for, and who is deciding. */
export function consentPage(page: ConsentPage): Promise<Response> {
  const { interaction, account, scope, scopes, problem, ownOrigin } = page;
  const { client, redirectUri, resources } = interaction;
  const name = clientNameOf(client);
  const elsewhere = resources.filter((resource) => new URL(resource).origin !== ownOrigin);
  const body = html`<section class="card">
<h1>Allow ${strangersName(name)} access?</h1>
${notice(problem)}
${hasOddLetters(name) ? html`<p class="note warn">The marked letters are not the ones they look like. The program may pretend to be another one.</p>` : ''}
<div class="who"><span>Signed in as <strong>${strangersName(account.name)}</strong></span>
${buttonForm(page, 'switch', { label: 'Use another account' })}</div>
<dl>
<dt>Who asks</dt><dd>${describeOrigin(client)}</dd>
<dt>Where the answer goes</dt><dd>${redirectUri === undefined ? 'To the device that showed you the code.' : html`<strong>${new URL(redirectUri).host}</strong>`}</dd>
${elsewhere.length === 0 ? '' : html`<dt>For use at</dt>${elsewhere.map((resource) => html`<dd>${describePlace(resource, page)}</dd>`)}`}
</dl>
${warning(client, redirectUri)}
${
  scope.length === 0
    ? html`<p class="note warn">The program asks only for access that your account may not allow.</p>${postForm(page, 'consent', html`<div class="row"><button name="decision" value="deny">Deny</button></div>`)}`
    : postForm(page, 'consent', choices(scope, scopes))
}
</section>`;
  return renderPage({ title: 'Allow access?', body, ...(problem ? { status: 400 } : {}) });
}

function describePlace(resource: string, { nameOfResource }: ConsentPage): Html {
  const name = nameOfResource(resource);
  return name === undefined ? html`${resource}` : html`<strong>${name}</strong>, ${resource}`;
}

function choices(scope: readonly Scope[], scopes: Scopes): Html {
  return html`<fieldset><legend>It will be able to</legend>
<input type="checkbox" name="${tickedField}" value="yes" checked hidden>
${scope.map(
  (
    word,
  ) => html`<label class="tick"><input type="checkbox" name="${scopeField(word)}" value="yes" checked>
<span>${scopes.describe(word)}${word === adminScope ? html` <span class="badge">full control</span>` : ''}</span></label>`,
)}</fieldset>
<p class="hint">Untick what you do not want to allow. You can take all of it back at any time on your account page.</p>
<div class="row"><button name="decision" value="deny">Deny</button><button class="main" name="decision" value="allow">Allow</button></div>`;
}

/** What people call a client: the name it gave itself, else its id. */
export function clientNameOf({ name, clientId }: Client): string {
  return name === undefined || name.trim() === '' ? clientId : name;
}

function describeOrigin({ origin, clientId, uri }: Client): Html {
  const site = uri === undefined ? '' : html` It names ${hostOf(uri)} as its website.`;
  if (origin === 'built-in') return html`A program that belongs to this server.`;
  if (origin === 'operator') return html`A program that the owner of this server set up.${site}`;
  if (origin === 'document')
    return html`A program described by <strong>${hostOf(clientId)}</strong>.`;
  return html`A program that registered itself; nobody has checked its name.${site}`;
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}

function warning({ origin }: Client, redirectUri: string | undefined): Html {
  if (redirectUri === undefined) {
    return html`<p class="note warn">Allow this only if you started it on a device of your own just now. A person who sent you a code or a link may get this access.</p>`;
  }
  if (!isLoopbackHost(new URL(redirectUri).hostname)) return html``;
  if (origin === 'built-in') {
    return html`<p class="hint">Allow this if you started <code>tradewind</code> on this computer just now.</p>`;
  }
  return html`<p class="note warn">The answer goes to a program on this computer, and any program here could receive it. Allow this only if you started it yourself just now.</p>`;
}

/** Asks a person whom another site sent to a page of this server whether they want to go there. */
export function continuePage(
  page: FormFrame & { readonly account: Account; readonly client: Client },
): Promise<Response> {
  const title = `Open the ${clientNameOf(page.client)}?`;
  const body = html`<section class="card">
<h1>${title}</h1>
<p>You came here from another site. Continue if you wanted to.</p>
<div class="who"><span>Signed in as <strong>${strangersName(page.account.name)}</strong></span>
${buttonForm(page, 'switch', { label: 'Use another account' })}</div>
<div class="row">${buttonForm(page, 'consent', { label: 'Continue', kind: 'main', values: { decision: 'allow' } })}</div>
</section>`;
  return renderPage({ title, body });
}

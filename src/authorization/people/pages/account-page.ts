import { html } from 'hono/html';
import { type Html, renderPage } from '../../../kernel/edge/page.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import type { Account, Identity } from '../../model/account.ts';
import type { Client } from '../../model/client.ts';
import type { Grant } from '../../model/grant.ts';
import type { Scope, Scopes } from '../../protocol/scope.ts';
import type { StoredPerson } from '../../store/person-store.ts';
import { walletIssuer } from '../accounts/admission.ts';
import { scopeField } from '../manage-clients.ts';
import { linkPlace } from '../place.ts';
import { clientNameOf } from './consent-page.ts';
import {
  buttonForm,
  describeWay,
  type FormFrame,
  findRefused,
  newPasswordFields,
  notice,
  postForm,
  type RefusedForm,
  type RefusingFrame,
  strangersName,
} from './form-parts.ts';
import { hasOtherWay, type OtherWays, otherWaysSection, scriptFor } from './other-ways.ts';

type AccountPage = RefusingFrame & {
  readonly account: Account;
  readonly hasPassword: boolean;
  /** What leads to the account besides a password, and what can be linked to it. */
  readonly identities: readonly Identity[];
  readonly otherWays: OtherWays;
  readonly scopes: Scopes;
  /** The newest that the person allowed, each with its client as long as that is known. */
  readonly grants: readonly { readonly grant: Grant; readonly client: Client | undefined }[];
  readonly hasOlderGrants: boolean;
  /** What only admins see. */
  readonly managed:
    | {
        readonly people: readonly StoredPerson[];
        readonly clients: readonly Client[];
      }
    | undefined;
};

/** A person's own page: what they allowed, their password, and for admins people and clients. */
export function accountPage(page: AccountPage): Promise<Response> {
  const { account, grants, hasOlderGrants, hasPassword, managed, refused } = page;
  // These forms say themselves why they were refused.
  const folded = [
    'link',
    'unlink',
    ...(hasPassword ? ['password'] : []),
    ...(managed ? ['add-account', 'add-client'] : []),
  ];
  const isFolded = folded.includes(refused?.name ?? '');
  const body = html`<section class="card">
<div class="who"><h1>Signed in as ${strangersName(account.name)}</h1>${buttonForm(page, 'sign-out', { label: 'Sign out' })}</div>
<p><a href="/">To the console of this server</a></p>
${notice(isFolded ? undefined : refused?.error.message)}
</section>
<section class="card" aria-labelledby="allowed"><h2 id="allowed">What you have allowed</h2>
${
  grants.length === 0
    ? html`<p class="muted">Nothing yet. Programs that you allow to act for you appear here.</p>`
    : html`<ul class="list">${grants.map((allowed) => grantItem(page, allowed))}</ul>`
}
${hasOlderGrants ? html`<p class="muted">These are the newest ${grants.length}. The console lists the older ones, too, as <code>GET /v1/grants</code> does.</p>` : ''}
</section>
${waysSection(page)}
${hasPassword ? passwordSection(page) : ''}
${managed === undefined ? '' : html`${accountsSection(page, managed.people)}${clientsSection(page, managed.clients)}`}`;
  return renderPage({
    title: 'Your account',
    body,
    isWide: true,
    ...(refused === undefined ? {} : { status: 400 }),
    ...scriptFor(page.otherWays),
  });
}

function grantItem(page: AccountPage, { grant, client }: AccountPage['grants'][number]): Html {
  const name = strangersName(client === undefined ? grant.clientId : clientNameOf(client));
  const at = new Date(grant.createdAt).toISOString();
  // To the second, as the access page has it: it tells several grants of one client apart.
  const moment = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  return html`<li><div><strong>${name}</strong> <span class="muted">since <time datetime="${at}">${moment}</time></span>
<br><span class="muted">${grant.scope.map(page.scopes.describe).join(' · ')}</span></div>
${buttonForm(page, 'revoke', { label: 'Revoke', kind: 'quiet bad', about: html`${name} since ${moment}`, values: { grant: grant.id } })}</li>`;
}

/** What the person can sign in with here, and what can be added to it. */
function waysSection(page: AccountPage): Html {
  const { identities, otherWays, hasPassword, account, cookie } = page;
  const { error } = refusedOf(page);
  if (identities.length === 0 && !hasOtherWay(otherWays)) return html``;
  const isLinked = identities.some(({ issuer }) => issuer !== walletIssuer);
  const linkable = isLinked ? { ...otherWays, identityProviderName: undefined } : otherWays;
  return html`<section class="card" aria-labelledby="ways"><h2 id="ways">How you sign in</h2>
${notice(error?.message)}
${identities.length === 0 ? '' : html`<p class="hint">Unlinking signs you out everywhere else, and ends everything that you have allowed.</p>`}
<ul class="list">${hasPassword ? html`<li><div>Password, as <strong>${strangersName(account.name)}</strong></div></li>` : ''}${identities.map((identity) => wayItem(page, identity))}</ul>
${
  hasOtherWay(linkable)
    ? html`<p class="hint">Whoever holds what you link can sign in as you.</p>
${otherWaysSection({ place: linkPlace, cookie }, linkable, { wallet: 'Link a wallet', provider: 'Link your account at', or: html`` })}`
    : ''
}
</section>`;
}

function wayItem(page: AccountPage, { issuer, subject }: Identity): Html {
  const isWallet = issuer === walletIssuer;
  const host = parseUrl(issuer)?.host ?? issuer;
  const what = isWallet
    ? describeWay({ issuer, subject })
    : html`${describeWay({ issuer, subject })}<br><span class="muted">Should it end there, every other way of this list still signs you in here.</span>`;
  const about = isWallet ? html`the wallet ${subject}` : html`your account at ${host}`;
  const values = { issuer, subject };
  return html`<li><div>${what}</div>
${buttonForm(page, 'unlink', { label: 'Unlink', kind: 'quiet bad', about, values })}</li>`;
}

function refusedOf({ refused }: AccountPage): Partial<RefusedForm> {
  return refused?.name === 'link' || refused?.name === 'unlink' ? refused : {};
}

/** The checkbox by which a person who changes the password keeps what they allowed. */
export const keepAllowedField = 'keep_allowed';

function passwordSection(frame: AccountPage): Html {
  const { error } = findRefused(frame, 'password');
  const { identities } = frame;
  return html`<section class="card"><details ${error ? 'open' : ''}><summary>Change your password</summary>
${postForm(
  frame,
  'password',
  html`<input type="text" autocomplete="username" value="${frame.account.name}" hidden>
${notice(error?.message)}
<label for="current">Current password</label>
<input id="current" name="current" type="password" autocomplete="current-password" required maxlength="256" ${error ? 'autofocus' : ''}>
${newPasswordFields('new')}
<p>You are then signed out everywhere else, and everything that you have allowed ends, with its subscriptions.${identities.length === 0 ? '' : html` What else signs you in stays: unlink above what is not yours.`}</p>
<label class="tick"><input type="checkbox" name="${keepAllowedField}" value="yes"><span>Keep what I have allowed: nobody else knew my password</span></label>
<div class="row"><button>Change password</button></div>`,
)}</details></section>`;
}

/** Who can sign in here, for admins. */
function accountsSection(frame: RefusingFrame, people: readonly StoredPerson[]): Html {
  const { typed, error } = findRefused(frame, 'add-account');
  return html`<section class="card" aria-labelledby="people"><h2 id="people">People</h2>
<ul class="list">${people.map(
    (
      account,
    ) => html`<li><div><strong>${strangersName(account.name)}</strong> <span class="badge">${describe(account)}</span></div>
${account.role === 'owner' ? '' : buttonForm(frame, 'remove-account', { label: 'Remove', kind: 'quiet bad', about: strangersName(account.name), values: { account: account.id } })}</li>`,
  )}</ul>
<details ${error ? 'open' : ''}><summary>Add a person</summary>
<p class="hint">You choose the password here. <a href="/console/access">The access page</a> invites a person by a link instead.</p>
${postForm(
  frame,
  'add-account',
  html`${notice(error?.message)}
<label for="name">Username</label>
<input id="name" name="name" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="80" value="${typed?.get('name') ?? ''}" ${error ? 'autofocus' : ''}>
${newPasswordFields('added')}
<div class="row"><button>Add person</button></div>`,
)}</details>
</section>`;
}

function describe({ role, signsInBy, isInvited }: StoredPerson): string {
  if (isInvited) return `invited, ${role}`;
  if (role !== 'member') return role;
  if (signsInBy === 'password') return 'password';
  return signsInBy === walletIssuer ? 'wallet' : `by ${parseUrl(signsInBy)?.host ?? signsInBy}`;
}

/** Which clients may ask for access, for admins (S10). */
function clientsSection(
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

/** What a client that was just made needs to know. Its secret is shown this once and stored nowhere. */
export function newClientPage(made: {
  clientId: string;
  clientSecret: string | undefined;
}): Promise<Response> {
  const { clientId, clientSecret } = made;
  const title = 'The client was added';
  const body = html`<section class="card">
<h1>${title}</h1>
<dl><dt>Client id</dt><dd><code>${clientId}</code></dd>
${clientSecret === undefined ? '' : html`<dt>Client secret</dt><dd><code>${clientSecret}</code></dd>`}</dl>
${clientSecret === undefined ? '' : html`<p class="note warn">Copy the secret now: it is shown only this once.</p>`}
<p><a href="/account">Back to your account</a></p>
</section>`;
  return renderPage({ title, body });
}

import { html } from 'hono/html';
import { type Html, renderPage } from '../../../../kernel/http/page/render-page.ts';
import { parseUrl } from '../../../../kernel/text/parse-url.ts';
import type { Scopes } from '../../../protocol/scope.ts';
import type { Account } from '../../model/account.ts';
import type { Client } from '../../model/client.ts';
import type { Grant } from '../../model/grant.ts';
import type { Identity } from '../../model/identity.ts';
import type { StoredPerson } from '../../store/person-store.ts';
import { linkPlace } from '../browsers/place.ts';
import { walletIssuer } from '../wallet/wallet-issuer.ts';
import { accountsSection } from './accounts-section.ts';
import { clientsSection } from './clients-section.ts';
import { clientNameOf } from './consent-page.ts';
import {
  buttonForm,
  findRefused,
  notice,
  postForm,
  type RefusedForm,
  type RefusingFrame,
  strangersName,
} from './form-parts.ts';
import { newPasswordFields } from './new-password-fields.ts';
import { hasOtherWay, type OtherWays, otherWaysSection, scriptFor } from './other-ways.ts';

export type AccountPage = RefusingFrame & {
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
    ? html`Wallet <code>${subject}</code>`
    : html`Your account at <strong>${host}</strong><br><span class="muted">Should it end there, every other way of this list still signs you in here.</span>`;
  const about = isWallet ? html`the wallet ${subject}` : html`your account at ${host}`;
  const values = { issuer, subject };
  return html`<li><div>${what}</div>
${buttonForm(page, 'unlink', { label: 'Unlink', kind: 'quiet bad', about, values })}</li>`;
}

function refusedOf({ refused }: AccountPage): Partial<RefusedForm> {
  return refused?.name === 'link' || refused?.name === 'unlink' ? refused : {};
}

function passwordSection(frame: AccountPage): Html {
  const { error } = findRefused(frame, 'password');
  return html`<section class="card"><details ${error ? 'open' : ''}><summary>Change your password</summary>
${postForm(
  frame,
  'password',
  html`<input type="text" autocomplete="username" value="${frame.account.name}" hidden>
${notice(error?.message)}
<label for="current">Current password</label>
<input id="current" name="current" type="password" autocomplete="current-password" required maxlength="256" ${error ? 'autofocus' : ''}>
${newPasswordFields('new')}
<div class="row"><button>Change password</button></div>`,
)}</details></section>`;
}

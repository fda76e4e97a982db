import { html } from 'hono/html';
import type { Html } from '../../../../kernel/http/page/render-page.ts';
import { parseUrl } from '../../../../kernel/text/parse-url.ts';
import type { StoredPerson } from '../../store/person-store.ts';
import { walletIssuer } from '../wallet/wallet-issuer.ts';
import {
  buttonForm,
  findRefused,
  notice,
  postForm,
  type RefusingFrame,
  strangersName,
} from './form-parts.ts';
import { newPasswordFields } from './new-password-fields.ts';

/** Who can sign in here, for admins. */
export function accountsSection(frame: RefusingFrame, people: readonly StoredPerson[]): Html {
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

import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';
import type { Account } from '../../model/account.ts';
import type { LinkPurpose } from '../../store/password-link-store.ts';
import { invitePlace } from '../browsers/place.ts';
import { type FormFrame, notice, postForm, strangersName } from './form-parts.ts';
import { newPasswordFields } from './new-password-fields.ts';
import {
  hasOtherWay,
  noOtherWays,
  type OtherWays,
  otherWaysSection,
  scriptFor,
} from './other-ways.ts';

const titles = { invite: 'Welcome', reset: 'Choose a new password' } as const;

/** Somebody who followed a link chooses the password of their account. */
export function choosePasswordPage(
  page: FormFrame & {
    readonly purpose: LinkPurpose;
    readonly account: Account;
    readonly secret: string;
    readonly otherWays: OtherWays;
    readonly problem: string | undefined;
  },
): Promise<Response> {
  const { purpose, account, secret, otherWays, problem } = page;
  const ways = purpose === 'invite' ? otherWays : noOtherWays;
  const title = titles[purpose];
  const name = html`<strong>${strangersName(account.name)}</strong>`;
  const body = html`<section class="card">
<h1>${title}</h1>
${
  purpose === 'invite'
    ? html`<p>You were invited to this server as ${name}. Choose a password. From now on you sign in with this name and password.</p>${hasOtherWay(ways) ? html`<p>Or sign in another way, below the password.</p>` : ''}`
    : html`<p>Choose a new password for ${name}. You are then signed out everywhere else.</p>`
}
${notice(problem)}
${postForm(
  page,
  purpose,
  html`<input type="hidden" name="secret" value="${secret}">
<input type="hidden" name="username" value="${account.name}" autocomplete="username">
${newPasswordFields(purpose, { isFocused: true })}
<div class="row"><button class="main">Set password and sign in</button></div>`,
)}
${otherWaysSection({ place: invitePlace, cookie: page.cookie }, ways, { values: { secret }, wallet: 'Use a wallet' })}
</section>`;
  return renderPage({
    title,
    body,
    ...(problem === undefined ? {} : { status: 400 }),
    ...scriptFor(ways),
  });
}

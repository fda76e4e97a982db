import { html } from 'hono/html';
import { renderPage } from '../../../../kernel/http/page/render-page.ts';
import type { Account } from '../../model/account.ts';
import type { Client } from '../../model/client.ts';
import { clientNameOf } from './consent-page.ts';
import { buttonForm, type FormFrame, strangersName } from './form-parts.ts';

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

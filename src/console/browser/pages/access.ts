import { html, type VNode } from '../../vendor/preact.js';
import { ClientsSection } from '../access/clients-section.ts';
import { PeopleSection } from '../access/people-section.ts';
import { ResourcesSection } from '../access/resources-section.ts';
import { SessionsSection } from '../access/sessions-section.ts';
import { mountPage } from '../mount-page.ts';
import { mayUse } from '../sign-in/session.ts';

/** Who and what has access (K6): a member sees their own, an admin everything. */
function AccessPage(): VNode {
  const isAdmin = mayUse('admin');
  return html`<p class="lead">${isAdmin ? 'Who and what has access to this server, and how to end it.' : 'Which programs and browsers have access in your name, and how to end it.'}</p>
    <div class="stack-cards"><${ClientsSection} isAdmin=${isAdmin} /><${SessionsSection} />
    ${isAdmin && html`<${PeopleSection} /><${ResourcesSection} />`}</div>`;
}

mountPage(AccessPage, {
  scope: 'swap.read',
  purpose: 'See which programs and browsers have access, and end what should not have it.',
});

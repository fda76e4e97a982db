import { html, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { formatTime } from '../format.ts';
import { Problem } from '../problem.ts';
import { useAnswer } from '../use-answer.ts';
import { Waiting } from '../waiting.ts';
import { listAll } from './list-all.ts';
import { useChanges } from './use-changes.ts';

type Session = {
  readonly id: string;
  readonly name: string;
  readonly device: string;
  readonly address: string;
  readonly signedIn: string;
  readonly lastUsed: string;
};

/** The browsers in which people are signed in: one's own, for admins everybody's (K6). */
export function SessionsSection(): VNode {
  const sessions = useAnswer((signal) => listAll<Session>('/v1/sessions', 'sessions', signal));
  const { ask, view } = useChanges(sessions.again);
  const newest = sessions.answer?.toReversed();

  const end = ({ id, name, device, signedIn }: Session) =>
    ask({
      title: `Sign ${name} out of ${device}?`,
      effects: `The browser that signed in on ${formatTime(signedIn)} is signed out, and everything that ${name} allowed in it ends: if it is this browser, you are signed out here. Signing in again undoes the first, allowing again the second.`,
      action: 'Sign out',
      run: () => callApi(`/v1/sessions/${id}`, { method: 'DELETE' }),
    });

  return html`<section class="card" aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
    ${view}<${Problem} error=${sessions.error} />
    ${
      newest === undefined
        ? sessions.isWaiting && html`<${Waiting}>Asking who is signed in …<//>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Sessions"><table>
      <thead><tr><th scope="col">Person</th><th scope="col">Device</th><th scope="col">Address</th><th scope="col">Signed in</th><th scope="col">Last used</th><td></td></tr></thead>
      <tbody>${newest.map(
        (
          session,
        ) => html`<tr key=${session.id}><th scope="row">${session.name}</th><td>${session.device}</td><td>${session.address}</td>
        <td class="moment">${formatTime(session.signedIn)}</td><td class="moment">${formatTime(session.lastUsed)}</td>
        <td class="acts"><button type="button" class="quiet bad" onClick=${() => end(session)}>End<span class="unseen"> the session of ${session.name} on ${session.device}</span></button></td></tr>`,
      )}</tbody></table></div>`
    }</section>`;
}

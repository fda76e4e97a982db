import { html, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { formatTime } from '../format.ts';
import { Moment } from '../moment.ts';
import { Problem } from '../problem.ts';
import { type Column, Table } from '../table.ts';
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

const columns: readonly Column[] = [
  'Person',
  'Device',
  'Address',
  { name: 'Signed in', kind: 'moment' },
  { name: 'Last used', kind: 'moment' },
  { name: 'End', kind: 'acts' },
];

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
        : html`<${Table} name="Sessions" columns=${columns} rows=${newest.map((session) => ({
            key: session.id,
            cells: [
              session.name,
              session.device,
              session.address,
              html`<${Moment} at=${session.signedIn} />`,
              html`<${Moment} at=${session.lastUsed} />`,
              html`<button type="button" class="quiet bad" onClick=${() => end(session)}>End<span class="unseen"> the session of ${session.name} on ${session.device}</span></button>`,
            ],
          }))} />`
    }</section>`;
}

import { html, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { formatTime } from '../format.ts';
import { type Column, Table } from '../parts/table.ts';
import { Moment } from '../parts/text.ts';
import { useAnswer } from '../use-answer.ts';
import { ListSection, listAll, useChanges } from './lists.ts';

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

/** The browsers in which people are signed in: a person sees their own, an admin everybody's (K6). */
export function SessionsSection(): VNode {
  const sessions = useAnswer((signal) => listAll<Session>('/v1/sessions', 'sessions', signal));
  const { ask, view } = useChanges(sessions.again);

  const end = ({ id, name, device, signedIn }: Session) =>
    ask({
      title: `Sign ${name} out of ${device}?`,
      effects: `The browser that signed in on ${formatTime(signedIn)} is signed out, and everything that ${name} allowed in it ends. If it is this browser, you are signed out here. To undo it, sign in again and allow the programs again.`,
      action: 'Sign out',
      run: () => callApi(`/v1/sessions/${id}`, { method: 'DELETE' }),
    });

  const list = (items: readonly Session[]) =>
    html`<${Table} name="Sessions" columns=${columns} rows=${items.toReversed().map((session) => ({
      key: session.id,
      cells: [
        session.name,
        session.device,
        session.address,
        html`<${Moment} at=${session.signedIn} />`,
        html`<${Moment} at=${session.lastUsed} />`,
        html`<button type="button" class="quiet bad" onClick=${() => end(session)}>End<span class="unseen"> the session of ${session.name} on ${session.device}</span></button>`,
      ],
    }))} />`;
  return html`<${ListSection} id="sessions" title="Sessions" asked=${sessions} waiting="Asking who is signed in …" changes=${view} list=${list} />`;
}

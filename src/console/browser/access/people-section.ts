import { html, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { formatTime } from '../format.ts';
import { Field } from '../parts/form.ts';
import { InSight, Problem } from '../parts/outcome.ts';
import { type Column, Table } from '../parts/table.ts';
import { CopyBox, count } from '../parts/text.ts';
import { useAnswer } from '../use-answer.ts';
import { countSubscriptions, ListSection, listAll, useChanges } from './lists.ts';

type Person = {
  readonly id: string;
  readonly username?: string;
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly sessions: number;
  readonly grants: number;
};

type Link = { readonly title: string; readonly url: string; readonly expires: string };

const path = '/v1/people';
const roles = ['member', 'admin', 'owner'].map((value) => ({ value, text: value }));

const columns: readonly Column[] = [
  'Name',
  'Role',
  'State',
  { name: 'Sessions', kind: 'number' },
  { name: 'Grants', kind: 'number' },
  { name: 'Change', kind: 'acts' },
];

/** Who can sign in. Admins invite people by a link, change roles, make links for new passwords and remove people (K6). */
export function PeopleSection(): VNode {
  const people = useAnswer((signal) => listAll<Person>(path, 'people', signal));
  const { ask, change, view } = useChanges(people.again);
  const [link, setLink] = useState<Link | undefined>(undefined);

  const reset = ({ id, name, state }: Person) =>
    change(async () => {
      const made = await callApi<{ resetUrl: string; resetExpires: string }>(
        `${path}/${id}:resetPassword`,
        { method: 'POST', body: {} },
      );
      setLink({
        title:
          state === 'invited'
            ? `Link for ${name} to join`
            : `Link for ${name} to choose a new password`,
        url: made.resetUrl,
        expires: made.resetExpires,
      });
    }, 'The link is above.');

  const remove = async ({ id, name, sessions, grants }: Person) => {
    const subscriptions = await countSubscriptions({ personId: id });
    const effects = [
      `${name} ${sessions > 0 ? `is signed out of ${count(sessions, 'browser')}` : 'can no longer sign in'}`,
      ...(grants > 0 ? [`${count(grants, 'grant')} with all tokens will end`] : []),
      ...(subscriptions ? [`${subscriptions} of ${name} will be suspended`] : []),
    ];
    ask({
      title: `Remove ${name}?`,
      effects: `${effects.join('; ')}. This cannot be undone.`,
      action: `Remove ${name}`,
      run: () => callApi(`${path}/${id}`, { method: 'DELETE' }),
    });
  };

  const changeRole = (person: Person, role: string) => {
    const apply = () => callApi(`${path}/${person.id}`, { method: 'PATCH', body: { role } });
    const isInvited = person.state === 'invited';
    const link = isInvited ? ' The invite link no longer works: make a new link.' : '';
    if (role !== 'member') return void change(apply, `${person.name} is ${role} now.${link}`);
    ask({
      title: `Make ${person.name} a member?`,
      effects: `${person.name} no longer manages this server, and grants that allow programs to do so end.${link} You can give the role back.`,
      action: 'Make a member',
      run: apply,
    });
  };

  const list = (items: readonly Person[]) => {
    const last = findLastOwner(items);
    const describedBy = (person: Person) => (person === last ? 'last-owner' : undefined);
    return html`<${Table} name="People" columns=${columns} rows=${items.map((person) => ({
      key: person.id,
      cells: [
        person.name,
        html`<select disabled=${person === last} aria-describedby=${describedBy(person)} aria-label=${`Role of ${person.name}`} value=${person.role} onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => changeRole(person, currentTarget.value)}>
                ${roles.map((role) => html`<option value=${role.value} selected=${role.value === person.role}>${role.text}</option>`)}</select>`,
        html`<span class=${`badge ${person.state === 'active' ? 'good' : 'warn'}`}>${person.state}</span>`,
        person.sessions,
        person.grants,
        html`${person.username && html`<button type="button" class="quiet" onClick=${() => reset(person)}>${person.state === 'invited' ? 'New link' : 'New password'}<span class="unseen"> for ${person.name}</span></button>`}
                <button type="button" class="quiet bad" aria-disabled=${person === last} aria-describedby=${describedBy(person)} onClick=${() => person === last || remove(person)}>Remove<span class="unseen"> ${person.name}</span></button>`,
      ],
      below:
        person === last &&
        html`<p class="hint" id="last-owner">${last.name} is the last owner. A server keeps at least one owner who can sign in: make somebody else owner first.</p>`,
    }))} />`;
  };
  return html`<${ListSection} id="people" title="People" asked=${people} waiting="Asking who can sign in …" list=${list}
    changes=${html`${link && html`<${LinkBox} link=${link} />`}${view}`}><${InviteForm} onInvited=${people.again} /><//>`;
}

/** The only owner who can sign in, whom the server neither removes nor gives another role. */
function findLastOwner(people: readonly Person[]): Person | undefined {
  const [owner, ...others] = people.filter(
    ({ role, state }) => role === 'owner' && state === 'active',
  );
  return others.length === 0 ? owner : undefined;
}

function LinkBox({ link }: { link: Link }): VNode {
  return html`<${InSight} key=${link.url}><div class="note"><p><strong>${link.title}</strong>, which works once until ${formatTime(link.expires)}. Copy and send it now: it is shown only once.</p>
    <${CopyBox} label=${link.title} text=${link.url} /></div><//>`;
}

/** Shows the invite link below the form, where the person who asked for it is looking. */
function InviteForm({ onInvited }: { onInvited: () => void }): VNode {
  const [link, setLink] = useState<Link>();
  const [username, setUsername] = useState('');
  const [role, setRole] = useState('member');
  const [error, setError] = useState<unknown>(undefined);
  const fields = error instanceof ApiError ? error.fields : {};

  const submit = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    try {
      const made = await callApi<{ name: string; inviteUrl: string; inviteExpires: string }>(path, {
        method: 'POST',
        body: { username, role },
      });
      setUsername('');
      setLink({
        title: `Invite link for ${made.name}`,
        url: made.inviteUrl,
        expires: made.inviteExpires,
      });
      onInvited();
    } catch (failure) {
      setError(failure);
    }
  };

  return html`<div class="part"><h3>Invite a person</h3><form onSubmit=${submit}><div class="inviting">
    <${Field} label="Username" value=${username} onChange=${setUsername} problem=${fields.username} attributes=${{ required: true, maxLength: 80, autocapitalize: 'none' }} />
    <${Field} label="Role" value=${role} onChange=${setRole} choices=${roles} problem=${fields.role} /><button class="main">Invite</button></div>
    ${Object.keys(fields).length === 0 && html`<${Problem} error=${error} />`}</form>${link && html`<${LinkBox} link=${link} />`}</div>`;
}

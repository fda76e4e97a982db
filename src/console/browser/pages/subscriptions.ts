import { html, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { ConfirmDialog } from '../confirm-dialog.ts';
import { formatTime } from '../format.ts';
import { describeEndpoint, type Monitored, type SampledApplication } from '../monitor.ts';
import { mountPage } from '../mount-page.ts';
import { NewSubscription } from '../new-subscription.ts';
import { Outcome } from '../outcome.ts';
import { Problem } from '../problem.ts';
import { mayUse } from '../session.ts';
import { SubscriptionState } from '../subscription-state.ts';
import { type Action, useAction } from '../use-action.ts';
import { useAnswer } from '../use-answer.ts';
import { type FeedItem, Live, useFeed } from '../use-feed.ts';
import { Waiting } from '../waiting.ts';

type Listed = { readonly subscriptions: readonly Monitored[]; readonly nextPageToken?: string };

const pageSize = 100;

function Subscriptions(): VNode {
  const [pageToken, turnTo] = useState('');
  const list = useAnswer<Listed>(
    (signal) => callApi('/v1/monitor/subscriptions', { query: { pageSize, pageToken }, signal }),
    [pageToken],
  );
  const catalogue = useAnswer<{ applications: readonly SampledApplication[] }>((signal) =>
    callApi('/v1/monitor/applications', { signal }),
  );
  const feed = useFeed({ kinds: 'subscriptions,attempts' }, (item: FeedItem) => {
    if (item.kind !== 'event') list.again();
  });
  const isAdmin = mayUse('admin');
  const all = list.answer?.subscriptions ?? [];
  const { nextPageToken = '' } = list.answer ?? {};
  return html`<p class="lead">${isAdmin ? 'What everybody here is told of, and how it gets there.' : 'What you are told of, and how it gets there.'}</p>
    <div class="stack-cards">
    <${NewSubscription} applications=${catalogue.answer?.applications ?? []} onCreated=${list.again} />
    <section class="card"><div class="bar"><h2>${isAdmin ? 'Of everybody' : 'Yours'}</h2><${Live} state=${feed} /></div>
      <${Problem} error=${list.error} />
      ${list.answer === undefined && list.isWaiting && html`<${Waiting}>Fetching subscriptions …<//>`}
      ${list.answer !== undefined && all.length === 0 && pageToken === '' && html`<${Nothing} />`}
      ${all.length > 0 && html`<${Table} all=${all} isAdmin=${isAdmin} onChanged=${list.again} />`}
      <div class="row">${pageToken !== '' && html`<button onClick=${() => turnTo('')}>First page</button>`}
      ${nextPageToken !== '' && html`<button onClick=${() => turnTo(nextPageToken)}>Next page</button>`}</div>
    </section></div>`;
}

function Nothing(): VNode {
  return html`<div class="empty"><p>Nobody is told of anything yet. Make a subscription above, or in a terminal:</p>
    <p><code>tradewind subscribe //drive.googleapis.com/files/abc google.workspace.drive.file.v3.renamed</code></p></div>`;
}

type TableProps = {
  readonly all: readonly Monitored[];
  readonly isAdmin: boolean;
  readonly onChanged: () => void;
};

function Table({ all, isAdmin, onChanged }: TableProps): VNode {
  const action = useAction();
  const [leaving, leave] = useState<Monitored>();
  const change = (one: Monitored, verb: string, said: string) =>
    action.run(async () => {
      const { name } = one.subscription;
      const path = `/v1/monitor/${name}${verb === '' ? '' : `:${verb}`}`;
      await callApi(path, { method: verb === '' ? 'DELETE' : 'POST' });
      onChanged();
      return `${said} ${name}.`;
    });
  const remove = (one: Monitored) => {
    leave(undefined);
    change(one, '', 'Deleted');
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Subscriptions">
    <table><thead><tr><th>Target</th><th>Event types</th><th>Endpoint</th><th>State</th><th>Expires</th>
      <th class="number">Waiting</th><th>Failing since</th>${isAdmin && html`<th>Owner</th>`}<th>Change</th></tr></thead>
    <tbody>${all.map((one) => html`<${Row} key=${one.subscription.name} one=${one} isAdmin=${isAdmin} action=${action} change=${change} leave=${leave} />`)}</tbody></table></div>
    <${Outcome} action=${action} />
    ${
      leaving &&
      html`<${ConfirmDialog} title="Delete this subscription?" action="Delete"
      effects=${`${leaving.subscription.name} ends: ${describeEndpoint(leaving.subscription.notificationEndpoint)} is told nothing more of ${leaving.subscription.targetResource}, and ${leaving.waiting} waiting events are dropped. This cannot be undone; a new one can be made.`}
      onConfirm=${() => remove(leaving)} onCancel=${() => leave(undefined)} />`
    }`;
}

function Row(props: {
  readonly one: Monitored;
  readonly isAdmin: boolean;
  readonly action: Action;
  readonly change: (one: Monitored, verb: string, said: string) => void;
  readonly leave: (one: Monitored) => void;
}): VNode {
  const { one, isAdmin, action, change, leave } = props;
  const { name, targetResource, eventTypes, notificationEndpoint, state, expireTime } =
    one.subscription;
  return html`<tr><th scope="row" class="long"><a href=${`/console/${name}`}>${targetResource}</a></th>
    <td class="long">${eventTypes.map((type) => html`<div>${type}</div>`)}</td><td class="long">${describeEndpoint(notificationEndpoint)}</td>
    <td><${SubscriptionState} one=${one} /></td><td>${formatTime(expireTime)}</td><td class="number">${one.waiting}</td>
    <td>${one.failingSince ? formatTime(one.failingSince) : '–'}</td>
    ${isAdmin && html`<td>${one.userId ?? one.clientId}</td>`}
    <td><div class="tools">
      <button class="quiet" disabled=${action.isRunning} aria-label=${`Renew ${targetResource}`} onClick=${() => change(one, 'renew', 'Renewed')}>Renew</button>
      ${state === 'SUSPENDED' && html`<button class="quiet" disabled=${action.isRunning} aria-label=${`Reactivate ${targetResource}`} onClick=${() => change(one, 'reactivate', 'Reactivated')}>Reactivate</button>`}
      <button class="quiet bad" disabled=${action.isRunning} aria-label=${`Delete ${targetResource}`} onClick=${() => leave(one)}>Delete</button>
    </div></td></tr>`;
}

mountPage(Subscriptions, {
  scope: 'subscriptions.read',
  purpose: 'Subscriptions say what you are told of, and where.',
});

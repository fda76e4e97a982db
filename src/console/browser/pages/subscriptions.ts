import { html, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { facts } from '../facts.ts';
import { describeEndpoint, type Monitored, type SampledApplication } from '../monitor.ts';
import { mountPage } from '../mount-page.ts';
import { ConfirmDialog } from '../parts/form.ts';
import { Outcome, Problem, Waiting } from '../parts/outcome.ts';
import { type Column, Table } from '../parts/table.ts';
import { breakable, count, Moment } from '../parts/text.ts';
import { mayUse } from '../sign-in/session.ts';
import { NewSubscription } from '../subscriptions/new-subscription.ts';
import { SubscriptionState } from '../subscriptions/subscription-state.ts';
import { useAction, useAnswer } from '../use-answer.ts';
import { type FeedItem, Live, useFeed } from '../use-feed.ts';

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
  return html`<p class="lead">${isAdmin ? 'What everybody here is notified of, and where the events go.' : 'What you are notified of, and where the events go.'}</p>
    <div class="stack-cards">
    <${NewSubscription} applications=${catalogue.answer?.applications ?? []} taken=${all.map((one) => one.subscription.targetResource)} onCreated=${list.again} />
    <section class="card"><div class="bar"><h2>${isAdmin ? 'Subscriptions of everybody' : 'Your subscriptions'}</h2><${Live} state=${feed} /></div>
      <${Problem} error=${list.error} />
      ${list.answer === undefined && list.isWaiting && html`<${Waiting}>Fetching subscriptions …<//>`}
      ${list.answer !== undefined && all.length === 0 && pageToken === '' && html`<${Nothing} />`}
      ${all.length > 0 && html`<${List} all=${all} isAdmin=${isAdmin} onChanged=${list.again} />`}
      ${
        pageToken + nextPageToken !== '' &&
        html`<div class="tools">${pageToken !== '' && html`<button onClick=${() => turnTo('')}>First page</button>`}
      ${nextPageToken !== '' && html`<button onClick=${() => turnTo(nextPageToken)}>Next page</button>`}</div>`
      }
    </section></div>`;
}

function Nothing(): VNode {
  return html`<div class="empty"><p>There is no subscription yet. Create the first one above, where the form is filled with a working example, or in a terminal:</p>
    <p><code>npx tradewind subscribe //drive.googleapis.com/files/abc google.workspace.drive.file.v3.renamed --server ${facts.origin}</code></p></div>`;
}

type ListProps = {
  readonly all: readonly Monitored[];
  readonly isAdmin: boolean;
  readonly onChanged: () => void;
};

function List({ all, isAdmin, onChanged }: ListProps): VNode {
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
  const columns: readonly Column[] = [
    'Target and endpoint',
    'Event types',
    'State',
    { name: 'Waiting', kind: 'number' },
    ...(isAdmin ? ['Owner'] : []),
    { name: 'Expires', kind: 'moment' },
    { name: 'Change', kind: 'acts' },
  ];
  return html`<${Table} name="Subscriptions" columns=${columns} rows=${all.map((one) => ({
    key: one.subscription.name,
    cells: describe(one, isAdmin).concat(
      html`<${Acts} one=${one} isBusy=${action.isRunning} change=${change} leave=${leave} />`,
    ),
  }))} />
    <${Outcome} action=${action} />
    ${
      leaving &&
      html`<${ConfirmDialog} title="Delete this subscription?" action="Delete"
      effects=${`${leaving.subscription.name} ends: ${describeEndpoint(leaving.subscription.notificationEndpoint)} gets no more events of ${leaving.subscription.targetResource}${leaving.waiting > 0 ? `, and ${count(leaving.waiting, 'waiting event')} will be dropped` : ''}. This cannot be undone; a new one can be made.`}
      onConfirm=${() => remove(leaving)} onCancel=${() => leave(undefined)} />`
    }`;
}

function describe(one: Monitored, isAdmin: boolean): unknown[] {
  const { name, targetResource, eventTypes, notificationEndpoint, expireTime } = one.subscription;
  return [
    html`<a href=${`/console/${name}`}>${breakable(targetResource)}</a><div class="hint">to ${breakable(describeEndpoint(notificationEndpoint))}</div>`,
    eventTypes.map((type) => html`<div>${breakable(type)}</div>`),
    html`<${SubscriptionState} one=${one} />`,
    one.waiting.toLocaleString(),
    ...(isAdmin ? [one.userId ?? one.clientId] : []),
    html`<${Moment} at=${expireTime} />`,
  ];
}

function Acts(props: {
  readonly one: Monitored;
  readonly isBusy: boolean;
  readonly change: (one: Monitored, verb: string, said: string) => void;
  readonly leave: (one: Monitored) => void;
}): VNode {
  const { one, isBusy, change, leave } = props;
  const { targetResource, state } = one.subscription;
  return html`${
    state === 'SUSPENDED'
      ? html`<button class="quiet" aria-disabled=${isBusy} aria-label=${`Reactivate ${targetResource}`} onClick=${() => change(one, 'reactivate', 'Reactivated')}>Reactivate</button>`
      : html`<button class="quiet" aria-disabled=${isBusy} aria-label=${`Renew ${targetResource}`} onClick=${() => change(one, 'renew', 'Renewed')}>Renew</button>`
  }<button class="quiet bad" aria-disabled=${isBusy} aria-label=${`Delete ${targetResource}`} onClick=${() => leave(one)}>Delete</button>`;
}

mountPage(Subscriptions, {
  scope: 'subscriptions.read',
  purpose: 'Subscriptions say which changes you are notified of, and where.',
});

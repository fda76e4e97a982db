import { html, useRef, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { after } from '../clock.ts';
import {
  type Attempt,
  describeEndpoint,
  isNotice,
  type Monitored,
  type Undelivered,
} from '../monitor.ts';
import { mountPage, setHeading } from '../mount-page.ts';
import { ConfirmDialog, Field } from '../parts/form.ts';
import { Outcome, Problem, Waiting } from '../parts/outcome.ts';
import { breakable, CopyBox, count, Moment } from '../parts/text.ts';
import { DeliveryTable } from '../subscriptions/delivery-table.ts';
import { SubscriptionState, UndeliveredTable } from '../subscriptions/subscription-state.ts';
import { type Action, useAction, useAnswer } from '../use-answer.ts';
import { type FeedItem, Live, useFeed } from '../use-feed.ts';

type Seen = {
  readonly one: Monitored;
  readonly attempts: readonly Attempt[];
  readonly undelivered: readonly Undelivered[];
};

const id = location.pathname.split('/').at(-1) ?? '';
const path = `/v1/monitor/subscriptions/${id}`;
const pageSize = 50;

async function see(signal: AbortSignal): Promise<Seen> {
  const ask = <T>(below: string, query = {}) =>
    callApi<T>(path + below, { query: { pageSize, ...query }, signal });
  type Deliveries = { readonly deliveries: readonly Undelivered[] };
  const [one, { attempts }, given, held] = await Promise.all([
    callApi<Monitored>(path, { signal }),
    ask<{ attempts: readonly Attempt[] }>('/attempts'),
    ask<Deliveries>('/deliveries', { state: 'UNDELIVERED' }),
    ask<Deliveries>('/deliveries', { state: 'HELD' }),
  ]);
  const open = [...given.deliveries, ...held.deliveries].filter(
    ({ eventType }) => !isNotice(eventType),
  );
  return { one, attempts, undelivered: open };
}

function Subscription(): VNode {
  const seen = useAnswer(see);
  const [fresh, setFresh] = useState<readonly Attempt[]>([]);
  const isPlanned = useRef(false);
  /** Asks once for all changes that come within a short time. */
  const askSoon = () => {
    if (isPlanned.current) return;
    isPlanned.current = true;
    after(700, () => {
      isPlanned.current = false;
      seen.again();
    });
  };
  const feed = useFeed(
    { subscription: `subscriptions/${id}`, kinds: 'attempts,subscriptions' },
    (item: FeedItem) => {
      if (item.kind === 'attempt')
        setFresh((before) => [item.attempt, ...before].slice(0, pageSize));
      askSoon();
    },
  );
  if (seen.answer === undefined) {
    return html`<${Problem} error=${seen.error} />${seen.error === undefined ? html`<${Waiting}>Fetching the subscription …<//>` : html`<p><a href="/console/subscriptions">All subscriptions</a></p>`}`;
  }
  const { one, attempts, undelivered } = seen.answer;
  setHeading(one.subscription.name);
  const known = new Set(attempts.map(({ name }) => name));
  const all = [...fresh.filter(({ name }) => !known.has(name)), ...attempts].slice(0, pageSize);
  return html`<p class="lead"><a href="/console/subscriptions">← All subscriptions</a></p><${Problem} error=${seen.error} />
    <div class="stack-cards"><${Facts} one=${one} onChanged=${seen.again} />
    <${Deliveries} attempts=${all} undelivered=${undelivered} onChanged=${seen.again} live=${html`<${Live} state=${feed} />`} /></div>`;
}

function Facts({ one, onChanged }: { one: Monitored; onChanged: () => void }): VNode {
  const { targetResource, eventTypes, notificationEndpoint, expireTime } = one.subscription;
  return html`<section class="card"><h2>${breakable(targetResource)}</h2><dl class="figures">
    <div><dt>State</dt><dd><${SubscriptionState} one=${one} /></dd></div>
    <div><dt>Waiting</dt><dd>${count(one.waiting, 'event')}</dd></div>
    <div><dt>Undelivered</dt><dd>${count(one.undelivered ?? 0, 'event')}</dd></div>
    ${one.nextAttemptTime && html`<div><dt>Next attempt</dt><dd><${Moment} at=${one.nextAttemptTime} /></dd></div>`}
    <div><dt>Expires</dt><dd><${Moment} at=${expireTime} /></dd></div></dl>
    <dl class="figures wide"><div><dt>Endpoint</dt><dd>${breakable(describeEndpoint(notificationEndpoint))}</dd></div>
    <div><dt>Event types</dt><dd>${eventTypes.map((type) => html`<div>${breakable(type)}</div>`)}</dd></div></dl>
    <${Changes} one=${one} onChanged=${onChanged} /></section>`;
}

type Asking = 'delete' | 'rotate' | undefined;

function Changes({ one, onChanged }: { one: Monitored; onChanged: () => void }): VNode {
  const { eventTypes, state, notificationEndpoint } = one.subscription;
  const isSuspended = state === 'SUSPENDED';
  const action = useAction();
  const [eventType, setEventType] = useState(eventTypes[0] ?? '');
  const [asking, ask] = useState<Asking>();
  const [secret, setSecret] = useState('');
  const post = (verb: string, said: string, body?: object) =>
    action.run(async () => {
      await callApi(`${path}:${verb}`, { method: 'POST', ...(body ? { body } : {}) });
      onChanged();
      return said;
    });
  return html`<div class="tools">
    ${eventTypes.length > 1 && !isSuspended && html`<${Field} label="Event type" value=${eventType} onChange=${setEventType} choices=${eventTypes.map((type) => ({ value: type, text: type }))} />`}
    ${!isSuspended && html`<button class="main" aria-disabled=${action.isRunning} onClick=${() => post('sendTestEvent', 'A test event is on its way.', { eventType })}>Send test event</button>`}
    ${isSuspended && html`<button class="main" aria-disabled=${action.isRunning} onClick=${() => post('reactivate', 'It is active again. Events that were held can be replayed.')}>Reactivate</button>`}
    <span class="apart"><button aria-disabled=${action.isRunning} onClick=${() => post('renew', 'Renewed.')}>Renew</button>
    ${notificationEndpoint.webhook && html`<button aria-disabled=${action.isRunning} onClick=${() => ask('rotate')}>Rotate secret</button>`}
    <button class="bad" aria-disabled=${action.isRunning} onClick=${() => ask('delete')}>Delete</button></span></div>
    <${Outcome} action=${action} />
    ${secret !== '' && html`<p>The new signing secret, shown only now:</p><${CopyBox} label="Signing secret" text=${secret} />`}
    ${asking !== undefined && html`<${Question} asking=${asking} one=${one} action=${action} ask=${ask} setSecret=${setSecret} />`}`;
}

function Question(props: {
  readonly asking: NonNullable<Asking>;
  readonly one: Monitored;
  readonly action: Action;
  readonly ask: (asking: Asking) => void;
  readonly setSecret: (secret: string) => void;
}): VNode {
  const { asking, one, action, ask, setSecret } = props;
  const rotate = async () => {
    const { signingSecret } = await callApi<{ signingSecret: string }>(`${path}:rotateSecret`, {
      method: 'POST',
      body: {},
    });
    setSecret(signingSecret);
    return 'The secret was changed. For a day, deliveries are signed with the old one, too.';
  };
  const remove = async () => {
    await callApi(path, { method: 'DELETE' });
    location.assign('/console/subscriptions');
    return 'Deleted.';
  };
  const confirm = () => {
    ask(undefined);
    action.run(asking === 'rotate' ? rotate : remove);
  };
  const effects =
    asking === 'rotate'
      ? 'From now on deliveries are signed with a new secret, and for a day with the old one, too. Give the receiver the new secret within that day. This cannot be undone here; the API can set the old secret again.'
      : `The endpoint gets no more events of ${one.subscription.targetResource}. ${listDropped(one)} This cannot be undone.`;
  return html`<${ConfirmDialog} title=${asking === 'rotate' ? 'Rotate the signing secret?' : 'Delete this subscription?'}
    action=${asking === 'rotate' ? 'Rotate' : 'Delete'} effects=${effects} onConfirm=${confirm} onCancel=${() => ask(undefined)} />`;
}

/** What is dropped with a subscription, as a sentence that names no events if there are none. */
function listDropped({ waiting, undelivered = 0 }: Monitored): string {
  const events = [
    ...(waiting > 0 ? [count(waiting, 'waiting event')] : []),
    ...(undelivered > 0 ? [count(undelivered, 'undelivered event')] : []),
  ];
  if (events.length === 0) return 'The log is dropped.';
  return `${events.join(' and ')} will be dropped with the log.`;
}

function Deliveries(props: {
  readonly attempts: readonly Attempt[];
  readonly undelivered: readonly Undelivered[];
  readonly live: VNode;
  readonly onChanged: () => void;
}): VNode {
  const { attempts, undelivered, live, onChanged } = props;
  const action = useAction();
  const [asked, setAsked] = useState('');
  const outcome = html`<${Outcome} action=${action} />`;
  /** Replays the events of an attempt, or all of them, and shows the outcome beside that attempt, or above the tables. */
  const replay = (eventIds?: readonly string[], attempt = '') => {
    setAsked(attempt);
    action.run(async () => {
      const body = eventIds === undefined ? {} : { eventIds };
      const { replayed } = await callApi<{ replayed: number }>(`${path}:replay`, {
        method: 'POST',
        body,
      });
      onChanged();
      if (replayed === 0)
        return 'Nothing was queued: no event matches, or the matching events are queued already.';
      return `Queued to be sent again: ${count(replayed, 'event')}.`;
    });
  };
  return html`${undelivered.length > 0 && html`<section class="card"><h2>Undelivered</h2><${UndeliveredTable} events=${undelivered} isBusy=${action.isRunning} replay=${replay} /></section>`}
    <section class="card"><div class="bar"><h2>Deliveries</h2>${live}</div>${asked === '' && outcome}
    ${attempts.length === 0 ? html`<div class="empty"><p>Nothing was sent yet. Try it with <b>Send test event</b> above.</p></div>` : html`<${DeliveryTable} attempts=${attempts} isBusy=${action.isRunning} replay=${replay} outcomeOf=${(attempt: string) => attempt === asked && outcome} />`}</section>`;
}

mountPage(Subscription, {
  scope: 'subscriptions.read',
  purpose: 'A subscription shows what was sent to its endpoint and what came back.',
});

import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import type { Attempt, PublishedEvent, Sample, SampledApplication } from '../monitor.ts';
import { mountPage } from '../mount-page.ts';
import { Field } from '../parts/form.ts';
import { Outcome, Problem, Waiting } from '../parts/outcome.ts';
import { type Column, Table } from '../parts/table.ts';
import { breakable, CopyBox, CopyName, Moment } from '../parts/text.ts';
import { mayUse } from '../sign-in/session.ts';
import { useAction, useAnswer } from '../use-answer.ts';
import { type FeedItem, Live, useFeed } from '../use-feed.ts';

type Listed = { readonly events: readonly PublishedEvent[]; readonly nextPageToken?: string };

const pageSize = 50;

function Events(): VNode {
  const [type, setType] = useState('');
  const [subject, setSubject] = useState('');
  const [pageToken, turnTo] = useState('');
  const [fresh, setFresh] = useState<readonly PublishedEvent[]>([]);
  const query = { type, subject, pageSize, pageToken };
  const list = useAnswer<Listed>(
    (signal) => callApi('/v1/monitor/events', { query, signal }),
    [type, subject, pageToken],
  );
  const catalogue = useAnswer<{ applications: readonly SampledApplication[] }>((signal) =>
    callApi('/v1/monitor/applications', { signal }),
  );
  const [attempts, setAttempts] = useState<readonly SeenAttempt[]>([]);
  const feed = useFeed({ kinds: 'events,attempts' }, (item: FeedItem) => {
    if (item.kind === 'event') setFresh((before) => [item.event, ...before].slice(0, pageSize));
    else if (item.kind === 'attempt') setAttempts((before) => [item, ...before].slice(0, pageSize));
    else list.again();
  });
  const narrow = (change: (value: string) => void) => (value: string) => {
    turnTo('');
    change(value.trim());
  };
  const listed = list.answer?.events ?? [];
  const known = new Set(listed.map(({ name }) => name));
  const isNew = (one: PublishedEvent) =>
    pageToken === '' &&
    !known.has(one.name) &&
    one.type.startsWith(type) &&
    one.subject.startsWith(subject);
  const all = [...fresh.filter(isNew), ...listed].slice(0, pageSize);
  const { nextPageToken = '' } = list.answer ?? {};
  const isNarrow = type !== '' || subject !== '';
  return html`<p class="lead">What was published at this server, as far as you may see it, the newest first.</p>
    <div class="stack-cards">${mayUse('events.publish') && html`<${PublishForm} applications=${catalogue.answer?.applications ?? []} attempts=${attempts} />`}
    <section class="card"><div class="bar"><h2>Published</h2><${Live} state=${feed} /></div>
      <div class="pair"><${Field} label="Filter by type" value=${type} onChange=${narrow(setType)} hint="What the type begins with" />
      <${Field} label="Filter by subject" value=${subject} onChange=${narrow(setSubject)} hint="What the subject begins with" /></div>
      <${Problem} error=${list.error} />
      ${list.answer === undefined && list.isWaiting && html`<${Waiting}>Fetching events …<//>`}
      ${list.answer !== undefined && all.length === 0 && html`<div class="empty"><p>${isNarrow ? 'Nothing fits the filter.' : html`Nothing was published yet. Publish a sample above, or in a terminal: <code>tradewind trigger google.workspace.drive.file.v3.created</code>`}</p></div>`}
      ${all.length > 0 && html`<${List} all=${all} />`}
      ${
        pageToken + nextPageToken !== '' &&
        html`<div class="tools">${pageToken !== '' && html`<button onClick=${() => turnTo('')}>Newest</button>`}
      ${nextPageToken !== '' && html`<button onClick=${() => turnTo(nextPageToken)}>Older</button>`}</div>`
      }</section></div>`;
}

const columns: readonly Column[] = [
  { name: 'Published', kind: 'moment' },
  { name: 'Type', kind: 'whole' },
  'Subject',
  'By',
  { name: 'Size', kind: 'number' },
  { name: 'Data', kind: 'acts' },
];

function List({ all }: { all: readonly PublishedEvent[] }): VNode {
  const [opened, open] = useState('');
  return html`<${Table} name="Events" columns=${columns} rows=${all.map((one) => {
    const isOpen = opened === one.name;
    return {
      key: one.name,
      cells: [
        html`<${Moment} at=${one.acceptTime} />`,
        breakable(one.type),
        breakable(one.subject),
        describePublisher(one.publisher),
        `${one.dataBytes.toLocaleString()} B`,
        html`<button class="quiet" aria-expanded=${isOpen} onClick=${() => open(isOpen ? '' : one.name)}>Data<span class="unseen"> of ${one.id}</span></button>`,
      ],
      below:
        isOpen &&
        html`<p class="hint">Event <${CopyName} text=${one.id} /></p><${Data} one=${one} />`,
    };
  })} />`;
}

const builtIn: Readonly<Record<string, string>> = {
  'tradewind-console': 'the console',
  'tradewind-command-line': 'the command line',
};

/** Who published: a person with a client, a client for itself, or the server. */
function describePublisher(publisher: string | undefined): string {
  if (publisher === undefined) return 'this server';
  const [client = '', person] = publisher.split(' for ');
  const named = builtIn[client] ?? client;
  return person === undefined ? named : `${person}, with ${named}`;
}

function Data({ one }: { one: PublishedEvent }): VNode {
  if (one.data !== undefined) {
    return html`<${CopyBox} label=${`Data of ${one.id}`} text=${JSON.stringify(one.data, undefined, 2)} />`;
  }
  return html`<${LargeData} one=${one} />`;
}

function LargeData({ one }: { one: PublishedEvent }): VNode {
  const [isWanted, want] = useState(false);
  const whole = useAnswer<PublishedEvent>(
    (signal) => (isWanted ? callApi(`/v1/monitor/${one.name}`, { signal }) : Promise.resolve(one)),
    [isWanted],
  );
  if (whole.answer?.data !== undefined) return html`<${Data} one=${whole.answer} />`;
  return html`<${Problem} error=${whole.error} /><button class="quiet" onClick=${() => want(true)}>Fetch the data</button>`;
}

mountPage(Events, {
  scope: 'subscriptions.read',
  purpose: 'Events are what applications publish and subscriptions deliver.',
});

/** A delivery attempt seen while the page is open. */
type SeenAttempt = { readonly subscription: string; readonly attempt: Attempt };

/** The form that publishes an event, filled from the sample of its type (K4), and the outcome. */
function PublishForm({
  applications,
  attempts,
}: {
  applications: readonly SampledApplication[];
  attempts: readonly SeenAttempt[];
}): VNode {
  const [published, setPublished] = useState('');
  const samples = applications.flatMap((one) => one.samples).filter((one) => one.publishable);
  const [type, setType] = useState('');
  const [subject, setSubject] = useState('');
  const [data, setData] = useState('');
  const [badData, setBadData] = useState<string>();
  const action = useAction();
  const fields = action.error instanceof ApiError ? action.error.fields : {};
  const fill = (sample: Sample | undefined) => {
    if (sample === undefined) return;
    setType(sample.type);
    setSubject(sample.subject);
    setData(JSON.stringify(sample.data, undefined, 2));
  };
  const [first] = samples;
  useEffect(() => fill(first), [first?.type]);
  const submit = (event: Event) => {
    event.preventDefault();
    const content = parseObject(data);
    setBadData(
      content === undefined
        ? 'This is not a JSON object: write one such as {"file": {}}.'
        : undefined,
    );
    if (content === undefined) return;
    action.run(async () => {
      const id = crypto.randomUUID();
      const body = { specversion: '1.0', id, source: '//console', type, subject, data: content };
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      await callApi('/v1/events', { method: 'POST', body, headers });
      setPublished(id);
      return `Published ${id}.`;
    });
  };
  return html`<details class="card make"><summary>Publish an event</summary><form onSubmit=${submit}>
    <${Field} label="Event type" value=${type} problem=${fields.type}
      onChange=${(value: string) => fill(samples.find((one) => one.type === value))}
      choices=${samples.map((one) => ({ value: one.type, text: one.type }))} />
    <${Field} label="Subject" value=${subject} onChange=${setSubject} problem=${fields.subject} hint="The resource that the event is about" />
    <${Field} label="Data" value=${data} onChange=${setData} problem=${badData ?? fields.data} isLong=${true} />
    <p><button class="main" disabled=${type === ''} aria-disabled=${action.isRunning}>Publish</button></p></form><${Outcome} action=${action} />
    ${published !== '' && html`<${Deliveries} attempts=${attempts.filter(({ attempt }) => attempt.events.some(({ id }) => id === published))} />`}</details>`;
}

function Deliveries({ attempts }: { attempts: readonly SeenAttempt[] }): VNode {
  return html`<h3>Its deliveries</h3><div role="status">${
    attempts.length === 0
      ? html`<p class="hint">None so far. It goes to every <a href="/console/subscriptions">subscription</a> to its subject and type.</p>`
      : html`<ul class="list">${attempts.map(
          ({ subscription, attempt }) =>
            html`<li key=${attempt.name}><span><span class=${`badge ${attempt.outcome === 'ACCEPTED' ? 'good' : 'bad'}`}>${attempt.outcome.toLowerCase()}</span> ${attempt.status === undefined ? attempt.error : `answered ${attempt.status}`} after ${attempt.durationMs.toLocaleString()} ms</span> <a href=${`/console/${subscription}`}>${subscription}</a></li>`,
        )}</ul>`
  }</div>`;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

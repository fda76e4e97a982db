import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import type { Attempt, Sample, SampledApplication } from '../monitor.ts';
import { Field } from '../parts/field.ts';
import { Outcome } from '../parts/outcome/outcome.ts';
import { useAction } from '../use-action.ts';

/** A delivery attempt seen while the page is open. */
export type SeenAttempt = { readonly subscription: string; readonly attempt: Attempt };

/** The form that publishes an event, filled from the sample of its type (K4), and the outcome. */
export function PublishForm({
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

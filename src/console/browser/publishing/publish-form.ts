import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import type { Sample, SampledApplication } from '../monitor.ts';
import { Field } from '../parts/field.ts';
import { Outcome } from '../parts/outcome.ts';
import { useAction } from '../use-action.ts';

/** The form that publishes an event, filled from the sample of its type (K4). */
export function PublishForm({
  applications,
}: {
  applications: readonly SampledApplication[];
}): VNode {
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
    setBadData(content === undefined ? 'is no JSON object, such as {"file": {}}' : undefined);
    if (content === undefined) return;
    action.run(async () => {
      const id = crypto.randomUUID();
      const body = { specversion: '1.0', id, source: '//console', type, subject, data: content };
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      await callApi('/v1/events', { method: 'POST', body, headers });
      return html`Published ${id}. What became of it is at <a href="/console/subscriptions">the subscriptions</a>.`;
    });
  };
  return html`<details class="card"><summary>Publish an event</summary><form onSubmit=${submit}>
    <${Field} label="Event type" value=${type} problem=${fields.type}
      onChange=${(value: string) => fill(samples.find((one) => one.type === value))}
      choices=${samples.map((one) => ({ value: one.type, text: one.type }))} />
    <${Field} label="Subject" value=${subject} onChange=${setSubject} problem=${fields.subject} hint="The resource on which it happened" />
    <${Field} label="Data" value=${data} onChange=${setData} problem=${badData ?? fields.data} isLong=${true} />
    <p><button class="main" disabled=${action.isRunning || type === ''}>Publish</button></p></form><${Outcome} action=${action} /></details>`;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

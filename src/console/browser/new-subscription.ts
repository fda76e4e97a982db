import { html, useState, type VNode } from '../vendor/preact.js';
import { ApiError, callApi } from './api.ts';
import { CopyBox } from './copy-box.ts';
import { Field } from './field.ts';
import type { Endpoint, SampledApplication } from './monitor.ts';
import { Outcome } from './outcome.ts';
import { useAction } from './use-action.ts';

type Operation = {
  readonly done?: boolean;
  readonly error?: { readonly message: string };
  readonly response?: { readonly name: string; readonly notificationEndpoint: Endpoint };
};

const kinds = [
  { value: 'webhook', text: 'A webhook' },
  { value: 'eventStream', text: 'A stream at this server' },
  { value: 'pubsubTopic', text: 'A topic' },
  { value: 'natsSubject', text: 'A NATS subject' },
];

/** The form that makes a subscription; a new signing secret is shown this once. */
export function NewSubscription(props: {
  readonly applications: readonly SampledApplication[];
  readonly onCreated: () => void;
}): VNode {
  const [target, setTarget] = useState('');
  const [types, setTypes] = useState('');
  const [kind, setKind] = useState('webhook');
  const [address, setAddress] = useState('');
  const [secret, setSecret] = useState('');
  const action = useAction();
  const targets = props.applications.flatMap((one) => one.targets);
  const fields = action.error instanceof ApiError ? action.error.fields : {};
  const problemOf = (name: string) =>
    Object.entries(fields).find(([field]) => field.startsWith(name))?.[1];

  const create = async (): Promise<string> => {
    setSecret('');
    const body = {
      targetResource: target.trim(),
      eventTypes: types.split(/[\s,]+/).filter((type) => type !== ''),
      notificationEndpoint: toEndpoint(kind, address.trim()),
    };
    const operation = await callApi<Operation>('/v1/subscriptions', { method: 'POST', body });
    if (operation.error !== undefined) throw new Error(operation.error.message);
    setSecret(operation.response?.notificationEndpoint.webhook?.signingSecret ?? '');
    props.onCreated();
    const { name } = operation.response ?? {};
    return name === undefined
      ? 'The endpoint is being asked; it appears here when it agreed.'
      : `Created ${name}.`;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(create);
  };
  return html`<details class="card"><summary>New subscription</summary>
    <form onSubmit=${submit}>
      <${Field} label="Target" value=${target} onChange=${setTarget} problem=${problemOf('targetResource')}
        hint="Full name of a resource, such as //drive.googleapis.com/files/abc"
        suggestions=${targets.map(({ pattern }) => ({ value: pattern, text: pattern }))} />
      <${Field} label="Event types" value=${types} onChange=${setTypes} problem=${problemOf('eventTypes')}
        hint="One or several, separated by spaces"
        suggestions=${[...new Set(targets.flatMap(({ eventTypes }) => eventTypes))].map((type) => ({ value: type, text: type }))} />
      <div class="pair"><${Field} label="Send to" value=${kind} onChange=${setKind} choices=${kinds} />
      ${kind === 'eventStream' ? null : html`<${Field} label="Address" value=${address} onChange=${setAddress} problem=${problemOf('notificationEndpoint')} />`}</div>
      <p><button class="main" disabled=${action.isRunning}>Create</button></p>
    </form>
    <${Outcome} action=${action} />
    ${secret !== '' && html`<p>The signing secret, shown only now:</p><${CopyBox} label="Signing secret" text=${secret} />`}</details>`;
}

function toEndpoint(kind: string, address: string): object {
  if (kind === 'webhook') return { webhook: { uri: address } };
  return { [kind]: kind === 'eventStream' ? {} : address };
}

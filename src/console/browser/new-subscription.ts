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

const hints: Readonly<Record<string, string>> = {
  webhook: 'An https address that agrees to be called; on this machine http too',
  pubsubTopic: 'Such as projects/p/topics/t, read with tradewind listen',
  natsSubject: 'One that the operator allows',
};

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
  const fitting = targets
    .filter(({ pattern }) => fits(target.trim(), pattern))
    .flatMap((one) => one.eventTypes);
  const fields = action.error instanceof ApiError ? action.error.fields : {};
  const problemOf = (name: string) =>
    Object.entries(fields).find(([field]) => field.startsWith(name))?.[1];

  const create = async (): Promise<string> => {
    setSecret('');
    const body = {
      targetResource: target.trim(),
      eventTypes: listTypes(types),
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
        hint="What to hear of: choose a form and put the resource for {…}, such as //drive.googleapis.com/files/abc"
        suggestions=${targets.map(({ pattern }) => ({ value: pattern, text: pattern }))} />
      <${Field} label="Event types" value=${types} onChange=${setTypes} problem=${problemOf('eventTypes')}
        hint=${fitting.length > 0 ? 'Choose below, or write one or several, separated by spaces' : 'One or several, separated by spaces'} />
      ${fitting.length > 0 && html`<${TypeChoices} types=${fitting} chosen=${listTypes(types)} onChange=${(chosen: readonly string[]) => setTypes(chosen.join(' '))} />`}
      <div class="pair"><${Field} label="Send to" value=${kind} onChange=${setKind} choices=${kinds} />
      ${kind === 'eventStream' ? null : html`<${Field} label="Address" value=${address} onChange=${setAddress} problem=${problemOf('notificationEndpoint')} hint=${hints[kind]} />`}</div>
      <p><button class="main" disabled=${action.isRunning}>Create</button></p>
    </form>
    <${Outcome} action=${action} />
    ${secret !== '' && html`<p>The signing secret, shown only now:</p><${CopyBox} label="Signing secret" text=${secret} />`}</details>`;
}

/** The event types of the target that was named, each to be taken or left. */
function TypeChoices(props: {
  readonly types: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}): VNode {
  const { types, chosen, onChange } = props;
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]);
  return html`<div class="choices" role="group" aria-label="Types of this target">${types.map((type) => html`<label class="pick"><input type="checkbox" checked=${chosen.includes(type)} onChange=${() => toggle(type)} /> <span>${type}</span></label>`)}</div>`;
}

function listTypes(text: string): string[] {
  return text.split(/[\s,]+/).filter((type) => type !== '');
}

/** Whether a name has the form of a pattern such as `//crm/deals/{deal}`. */
function fits(name: string, pattern: string): boolean {
  const [parts, wanted] = [name.split('/'), pattern.split('/')];
  return (
    parts.length === wanted.length &&
    wanted.every((part, at) => (part.includes('{') ? parts[at] !== '' : part === parts[at]))
  );
}

function toEndpoint(kind: string, address: string): object {
  if (kind === 'webhook') return { webhook: { uri: address } };
  return { [kind]: kind === 'eventStream' ? {} : address };
}

import { html, useEffect, useRef, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { type Endpoint, type SampledApplication, testReceivers } from '../monitor.ts';
import { Field } from '../parts/form.ts';
import { InSight, Outcome } from '../parts/outcome.ts';
import { breakable, CopyBox } from '../parts/text.ts';
import { useAction } from '../use-answer.ts';

type Operation = {
  readonly done?: boolean;
  readonly error?: { readonly message: string };
  readonly response?: { readonly name: string; readonly notificationEndpoint: Endpoint };
};

/** A target that can be subscribed to, with the pattern of its kind. */
type Example = { readonly type: string; readonly value: string; readonly text: string };

const kinds = [
  { value: 'webhook', text: 'A webhook' },
  { value: 'eventStream', text: 'A stream at this server' },
  { value: 'pubsubTopic', text: 'A topic' },
  { value: 'natsSubject', text: 'A NATS subject' },
];

const hints: Readonly<Record<string, string>> = {
  eventStream: 'Read with tradewind listen, or by a program over SSE',
  webhook:
    'A test receiver of this server, or an https address of yours that agrees to be called; on this machine http too',
  pubsubTopic: 'Such as projects/p/topics/t, read with tradewind listen',
  natsSubject: 'One that the operator allows',
};

/** The form that creates a subscription. It shows a new signing secret, only this once. */
export function NewSubscription(props: {
  readonly applications: readonly SampledApplication[];
  /** Targets that the person has already subscribed to: each allows one subscription. */
  readonly taken: readonly string[];
  readonly onCreated: () => void;
}): VNode {
  const [target, setTarget] = useState('');
  const [types, setTypes] = useState('');
  const [kind, setKind] = useState('webhook');
  const [address, setAddress] = useState(testReceivers[0]?.value ?? '');
  const [secret, setSecret] = useState('');
  const action = useAction();
  const targets = props.applications.flatMap((one) => one.targets);
  const examples = listExamples(props.applications);
  /** Fills the form with a target that can still be subscribed to. */
  const fill = (taken: readonly string[]) => {
    const free = examples.find(({ value }) => !taken.includes(value));
    setTarget(free?.value ?? '');
    setTypes(free?.type ?? '');
  };
  useEffect(() => {
    if (target + types === '') fill(props.taken);
  }, [examples.length]);
  const kindsOfTarget = targets.filter(({ pattern }) => fits(target.trim(), pattern));
  const fitting = kindsOfTarget.flatMap((one) => one.eventTypes);
  const clientScope = kindsOfTarget.find((one) => one.clientScope !== undefined)?.clientScope;
  const fields = action.error instanceof ApiError ? action.error.fields : {};
  const problemOf = (name: string) =>
    Object.entries(fields).find(([field]) => field.startsWith(name))?.[1];
  const isTaken = action.error instanceof ApiError && action.error.code === 'ALREADY_EXISTS';

  const create = async (): Promise<string | VNode> => {
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
    fill([...props.taken, target.trim()]);
    const { name } = operation.response ?? {};
    return name === undefined
      ? 'The endpoint is asked to agree. The subscription appears here when it has agreed.'
      : html`Created <a href=${`/console/${name}`}>${name}</a>. See its deliveries there. The form is filled with the next example.`;
  };
  const choose = (chosen: string) => {
    setKind(chosen);
    setAddress(chosen === 'webhook' ? (testReceivers[0]?.value ?? '') : '');
  };
  const createButton = useRef<HTMLButtonElement>(null);
  // The form shows another target now, so an event type that had the focus is gone.
  useEffect(() => {
    if (action.done !== '' && document.activeElement === document.body)
      createButton.current?.focus();
  }, [action.done]);
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(create);
  };
  return html`<details class="card make"><summary>New subscription</summary>
    <form onSubmit=${submit}>
      <${Field} label="Target" value=${target} onChange=${setTarget} problem=${isTaken ? 'You have a subscription to this target already: name another target, or change that subscription.' : problemOf('targetResource')}
        hint=${clientScope === undefined ? 'The resource to watch; the down arrow lists an example of every kind' : `Only a client that acts for itself may watch this, with ${clientScope}: make one on the access page`} suggestions=${examples} />
      <${Field} label="Event types" value=${types} onChange=${setTypes} problem=${problemOf('eventTypes')}
        hint=${fitting.length > 0 ? 'Choose below with the arrow keys and Space, or write a part of a name to find it' : 'One or several, separated by spaces'} />
      ${fitting.length > 0 && html`<${TypeChoices} types=${fitting} written=${listTypes(types)} onChange=${(chosen: readonly string[]) => setTypes(chosen.join(' '))} />`}
      <div class="pair"><${Field} label="Send to" value=${kind} onChange=${choose} choices=${kinds} hint=${kind === 'eventStream' ? hints[kind] : undefined} />
      ${kind !== 'eventStream' && html`<${Field} label="Address" value=${address} onChange=${setAddress} problem=${problemOf('notificationEndpoint')} hint=${hints[kind]} suggestions=${kind === 'webhook' ? testReceivers : undefined} />`}</div>
      ${kind === 'webhook' && html`<p class="tools receivers"><span class="hint">No server of your own?</span>${testReceivers.map(({ value, text }) => html`<button type="button" class="quiet" aria-pressed=${address === value} onClick=${() => setAddress(value)}>Use ${text}</button>`)}</p>`}
      <p><button class="main" ref=${createButton} aria-disabled=${action.isRunning}>Create</button></p>
    </form>
    <${Outcome} action=${action} />
    ${secret !== '' && html`<${InSight} key=${secret}><p>The signing secret, shown only now:</p><${CopyBox} label="Signing secret" text=${secret} /><//>`}</details>`;
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

/** An example target of each kind: the resource of a sample, or the resource that contains it. */
function listExamples(applications: readonly SampledApplication[]): readonly Example[] {
  return applications.flatMap(({ samples, targets }) =>
    targets.flatMap(({ pattern, eventTypes }) => {
      const known = samples.filter((one) => one.publishable && eventTypes.includes(one.type));
      const found = known
        .map(({ type, subject }) => ({ type, value: cutTo(subject, pattern), text: pattern }))
        .find(({ value }) => fits(value, pattern));
      return found === undefined ? [] : [found];
    }),
  );
}

/** The beginning of a name with as many parts as the pattern has. */
function cutTo(name: string, pattern: string): string {
  return name.split('/').slice(0, pattern.split('/').length).join('/');
}

function toEndpoint(kind: string, address: string): object {
  if (kind === 'webhook') return { webhook: { uri: address } };
  return { [kind]: kind === 'eventStream' ? {} : address };
}

type TypeChoicesProps = {
  readonly types: readonly string[];
  /** The words that were typed. A whole event type selects it, a part of one filters the list. */
  readonly written: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/**
 * The event types of a target as checkboxes. The Tab key stops only once for all of them; the arrow keys
 * move from one to the next (K15).
 */
function TypeChoices({ types, written, onChange }: TypeChoicesProps): VNode {
  const group = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const chosen = written.filter((one) => types.includes(one));
  const parts = written.filter((one) => !types.includes(one)).map((one) => one.toLowerCase());
  const found = types.filter((type) => parts.every((part) => type.toLowerCase().includes(part)));
  const shown = found.length === 0 ? types : found;
  const stop = Math.min(at, shown.length - 1);
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]);
  const move = (event: KeyboardEvent) => {
    const next = nextStop(event.key, stop, shown.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    group.current?.querySelectorAll('input')[next]?.focus();
  };
  return html`<div class="choices" role="group" aria-label="Types to choose from" ref=${group} onKeyDown=${move}>${shown.map(
    (type, place) =>
      html`<label class="pick" key=${type}><input type="checkbox" tabindex=${place === stop ? 0 : -1} checked=${chosen.includes(type)} onFocus=${() => setAt(place)} onChange=${() => toggle(type)} /> <span>${breakable(type)}</span></label>`,
  )}</div>
  <p class="hint" role="status">${chosen.length} chosen${shown.length < types.length ? `, ${shown.length} of ${types.length} shown` : ` of ${types.length}`}</p>`;
}

function nextStop(key: string, stop: number, last: number): number | undefined {
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(stop + 1, last);
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(stop - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

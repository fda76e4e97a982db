import { html, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { facts } from '../facts.ts';
import type { Sample, SampledApplication } from '../monitor.ts';
import { mountPage } from '../mount-page.ts';
import { ConfirmDialog, Field } from '../parts/form.ts';
import { Outcome, Problem, Waiting } from '../parts/outcome.ts';
import { breakable, CopyBox, count } from '../parts/text.ts';
import { mayUse } from '../sign-in/session.ts';
import { useAction, useAnswer } from '../use-answer.ts';

function Applications(): VNode {
  const list = useAnswer<{ applications: readonly SampledApplication[] }>((signal) =>
    callApi('/v1/monitor/applications', { signal }),
  );
  const action = useAction();
  const [leaving, leave] = useState<SampledApplication>();
  const isAdmin = mayUse('admin');
  const all = list.answer?.applications ?? [];
  // One's own first: they are what a person comes for.
  const sorted = [...all.filter((one) => !one.builtIn), ...all.filter((one) => one.builtIn)];
  const remove = ({ name }: SampledApplication) => {
    leave(undefined);
    action.run(async () => {
      await callApi(`/v1/applications/${name}`, { method: 'DELETE' });
      list.again();
      return `Removed ${name}.`;
    });
  };
  return html`<p class="lead">What can be subscribed to here, with a sample of every event.</p>
    <div class="stack-cards">${isAdmin && html`<${NewApplication} onAdded=${list.again} />`}
    <${Problem} error=${list.error} /><${Outcome} action=${action} />
    ${list.answer === undefined && list.isWaiting && html`<${Waiting}>Fetching the catalogue …<//>`}
    ${
      list.answer !== undefined &&
      all.every((one) => one.builtIn) &&
      html`<div class="empty"><p>No application of your own yet. ${isAdmin ? 'Add one above' : 'An admin adds one'}, or in a terminal:</p>
        <p><code>npx tradewind applications add crm //crm/deals/{deal} crm.deal.v1.won --server ${facts.origin}</code></p></div>`
    }
    ${sorted.map((one) => html`<${Card} key=${one.name} one=${one} leave=${isAdmin && !one.builtIn ? leave : undefined} />`)}</div>
    ${
      leaving &&
      html`<${ConfirmDialog} title=${`Remove ${leaving.name}?`} action="Remove" onCancel=${() => leave(undefined)} onConfirm=${() => remove(leaving)}
      effects=${effectsOf(leaving)} />`
    }`;
}

function effectsOf({ subscriptions = 0 }: SampledApplication): string {
  const [suspended, reactivated] =
    subscriptions === 0
      ? ['', '']
      : [
          `, and ${count(subscriptions, 'subscription')} to it will be suspended`,
          '; then each suspended subscription can be reactivated',
        ];
  return `Its events can no longer be published${suspended}. Add it again under the same name to undo it${reactivated}.`;
}

type CardProps = {
  readonly one: SampledApplication;
  readonly leave: ((one: SampledApplication) => void) | undefined;
};

function Card({ one, leave }: CardProps): VNode {
  const { name, builtIn, scopes, targets, samples, subscriptions } = one;
  return html`<section class="card"><div class="bar"><h2>${name}</h2><span class="tools">${builtIn && html`<span class="badge">built in</span>`}
    ${subscriptions !== undefined && html`<span class="badge">${count(subscriptions, 'subscription')}</span>`}
    ${leave && html`<button class="quiet bad" aria-label=${`Remove ${name}`} onClick=${() => leave(one)}>Remove</button>`}</span></div>
    <div class="names">${targets.map(({ pattern, clientScope }) => html`<div><code>${breakable(pattern)}</code>${clientScope !== undefined && html` <span class="hint">for clients that act for themselves, with <code>${clientScope}</code></span>`}</div>`)}</div>
    ${scopes.length > 0 && html`<p class="hint">Needs ${scopes.map((scope, n) => html`${n > 0 && ' or '}<code>${scope}</code>`)}</p>`}
    <${Samples} samples=${samples} /></section>`;
}

/** There are many long samples, so they are rendered only when somebody opens them. */
function Samples({ samples }: { samples: readonly Sample[] }): VNode {
  const [isOpen, open] = useState(false);
  return html`<details onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => open(currentTarget.open)}><summary>${count(samples.length, 'event type')} with samples</summary>
    ${
      isOpen &&
      samples.map(
        ({ type, subject, data }) =>
          html`<h3>${type}</h3><${CopyBox} label=${`Sample of ${type}`} text=${JSON.stringify({ type, subject, data }, undefined, 2)} />`,
      )
    }</details>`;
}

mountPage(Applications, {
  scope: 'subscriptions.read',
  purpose: 'Applications publish events; the catalogue lists the event types of each.',
});

/** The form that adds an application with one kind of target. */
function NewApplication({ onAdded }: { onAdded: () => void }): VNode {
  const [name, setName] = useState('');
  const [pattern, setPattern] = useState('');
  const [types, setTypes] = useState('');
  const [scopes, setScopes] = useState('');
  const action = useAction();
  const fields = action.error instanceof ApiError ? action.error.fields : {};
  const problemOf = (...names: readonly string[]) =>
    Object.entries(fields).find(([field]) => names.some((one) => field.includes(one)))?.[1];
  const listOf = (text: string) => text.split(/[\s,]+/).filter((one) => one !== '');
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      const targets = [{ pattern: pattern.trim(), eventTypes: listOf(types) }];
      const body = { name: name.trim(), targets, scopes: listOf(scopes) };
      await callApi('/v1/applications', { method: 'POST', body });
      onAdded();
      return `Added ${name.trim()}.`;
    });
  };
  return html`<details class="card make"><summary>Add an application</summary><form onSubmit=${submit}>
    <${Field} label="Name" value=${name} onChange=${setName} problem=${problemOf('name')} hint="Such as crm" />
    <${Field} label="Target pattern" value=${pattern} onChange=${setPattern} problem=${problemOf('pattern')} hint="Such as //crm/deals/{deal}" />
    <${Field} label="Event types" value=${types} onChange=${setTypes} problem=${problemOf('eventTypes')} hint="Such as crm.deal.v1.won, separated by spaces" />
    <${Field} label="Scopes" value=${scopes} onChange=${setScopes} problem=${problemOf('scopes')} hint="A caller needs one of them; leave it empty to require none" />
    <p><button class="main" aria-disabled=${action.isRunning}>Add</button></p></form><${Outcome} action=${action} /></details>`;
}

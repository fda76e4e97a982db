import { html, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { Field } from '../parts/field.ts';
import { Outcome } from '../parts/outcome/outcome.ts';
import { useAction } from '../use-action.ts';

/** The form that adds an application with one kind of target. */
export function NewApplication({ onAdded }: { onAdded: () => void }): VNode {
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

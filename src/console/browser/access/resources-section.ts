import { html, useState, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { Field } from '../parts/form.ts';
import { Problem } from '../parts/outcome.ts';
import { count } from '../parts/text.ts';
import { useAnswer } from '../use-answer.ts';
import { ListSection, listAll, useChanges } from './lists.ts';

type Resource = {
  readonly id: string;
  readonly resource: string;
  readonly name: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
};

const path = '/v1/resources';

/** The servers that an admin added as resources, and their scopes (K6). */
export function ResourcesSection(): VNode {
  const resources = useAnswer((signal) => listAll<Resource>(path, 'resources', signal));
  const { ask, view } = useChanges(resources.again);

  const remove = async ({ id, name, scopes }: Resource) => {
    const { grants } = await callApi<{ grants: number }>(`${path}/${id}`);
    ask({
      title: `Remove ${name}?`,
      effects: `Its ${count(scopes.length, 'scope')} can no longer be asked for${grants > 0 ? `, and ${count(grants, 'grant')} with all tokens will end` : ''}. If you add it again, people must allow it again.`,
      action: `Remove ${name}`,
      run: () => callApi(`${path}/${id}`, { method: 'DELETE' }),
    });
  };

  const list = (
    items: readonly Resource[],
  ) => html`${items.length === 0 && html`<p class="empty">Put the guard in front of a server of your own, and give it scopes here: tokens of this server then work there.</p>`}
    <ul class="list">${items.map(
      (
        resource,
      ) => html`<li key=${resource.id}><div><strong>${resource.name}</strong> <code>${resource.resource}</code>
        ${resource.scopes.map((scope) => html`<p class="hint"><code>${scope.name}</code> ${scope.description}</p>`)}</div>
        <button type="button" class="quiet bad" onClick=${() => remove(resource)}>Remove<span class="unseen"> ${resource.name}</span></button></li>`,
    )}</ul>`;
  return html`<${ListSection} id="resources" title="Resources and scopes" asked=${resources} waiting="Asking for resources …" changes=${view} list=${list}>
    <${ResourceForm} onAdded=${resources.again} /><//>`;
}

function ResourceForm({ onAdded }: { onAdded: () => void }): VNode {
  const [resource, setResource] = useState('');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState('');
  const [error, setError] = useState<unknown>(undefined);
  const fields = error instanceof ApiError ? error.fields : {};
  const ofScopes = problemOfScopes(fields);

  const submit = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    try {
      const body = { resource, scopes: readScopes(scopes), ...(name === '' ? {} : { name }) };
      await callApi(path, { method: 'POST', body });
      for (const clear of [setResource, setName, setScopes]) clear('');
      onAdded();
    } catch (failure) {
      setError(failure);
    }
  };

  return html`<div class="part"><h3>Add a resource</h3><form onSubmit=${submit}><div class="pair">
    <${Field} label="Address" value=${resource} onChange=${setResource} problem=${fields.resource} attributes=${{ required: true, placeholder: 'https://crm.example.com/mcp' }} />
    <${Field} label="Name" value=${name} onChange=${setName} problem=${fields.name} /></div>
    <${Field} label="Scopes" value=${scopes} onChange=${setScopes} problem=${ofScopes} isLong hint="One per line: its name, then a description for people, such as: crm.read Read the CRM" attributes=${{ required: true }} />
    ${Object.keys(fields).length === 0 && html`<${Problem} error=${error} />`}
    <p><button class="main">Add resource</button></p></form></div>`;
}

/** What is wrong with the scopes: the interface names a part of one as `scopes.0.description`. */
function problemOfScopes(fields: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(fields).find(([field]) => field.startsWith('scopes'));
  if (found === undefined) return undefined;
  const [field, problem] = found;
  const [, index, part] = field.split('.');
  return part === undefined ? problem : `The ${part} of scope ${Number(index) + 1} ${problem}.`;
}

function readScopes(text: string): { name: string; description: string }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [name = '', ...words] = line.split(/[\s=]+/);
      return { name, description: words.join(' ') };
    });
}

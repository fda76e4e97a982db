import { html } from 'hono/html';
import type {
  JsonSchema,
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../kernel/edge/open-api.ts';
import type { Html } from '../kernel/edge/page.ts';

type Answer = readonly [status: string, OpenApiOperation['responses'][string]];

type Place = {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
};

/**
 * The API reference for people, made from the OpenAPI document. Each operation and each schema is a line that opens,
 * so that the page is its own table of contents and paints at once however much it describes (K14). It can be read
 * without scripts; the module of the page adds the search and, at each operation, a form that sends it (K9).
 */
export function renderReference(document: OpenApiDocument, samples: readonly string[]): Html {
  const { info, tags, paths, components } = document;
  const places: Place[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const groups = tags.map(({ name, description }, index) => ({
    id: `group-${index + 1}`,
    name,
    description,
    places: places.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const schemas = Object.entries(components.schemas);
  return html`<p class="lead">Every operation of this server, from the declarations that serve it. For programs: <a href="/openapi.json">OpenAPI document</a>, version ${info.version}, and <a href="/llms.txt">llms.txt</a>. A parameter whose description begins with “Added” is an addition of this server to the interface that it shares with others.</p>
<div id="search"></div>
<nav class="groups" aria-label="Groups">${groups.map(({ id, name, places: { length } }) => html`<a href="#${id}">${name} <span class="aside">${length}</span></a>`)}<a href="#schemas">Schemas <span class="aside">${schemas.length}</span></a></nav>
<div class="stack-cards">
<details class="card"><summary>A quote from the command line, sent to the chain</summary>
<pre tabindex="0"><code>${samples.join('\n')}</code></pre></details>
${groups.map(renderGroup)}
<section class="card rows" aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => renderSchema(name, schema))}
</section></div>`;
}

function renderGroup(group: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly places: readonly Place[];
}) {
  const { id, name, description, places } = group;
  return html`<section class="card rows" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p class="hint">${description}</p>
${places.map(renderOperation)}
</section>`;
}

function renderOperation({ method, path, operation }: Place) {
  const { operationId, summary, description, responses } = operation;
  // Parameters shared by all operations of a service are references; only the OpenAPI document shows them.
  const parameters = operation.parameters.filter((parameter) => 'name' in parameter);
  const { security = [], requestBody } = operation;
  const scopes = security.flatMap((one) => Object.values(one).flat());
  const answers = Object.entries(responses);
  const answered = answers.filter(([status]) => Number(status) < 400);
  const refused = answers.filter(([status]) => Number(status) >= 400);
  return html`<details class="operation" aria-labelledby="${operationId}">
<summary><h3 id="${operationId}"><span>${summary}</span> <code>${method} ${path}</code></h3></summary>
<p>${description}</p>
<details data-operation="${operationId}" hidden><summary>Try it</summary></details>
${scopes.length === 0 ? '' : html`<p>Needs a token with ${listCodes(scopes, ' or ')}.</p>`}
${parameters.length === 0 ? '' : renderParameters(parameters)}
${requestBody === undefined ? '' : html`<h4>Body</h4><p>${renderContent(requestBody.content)}</p>`}
<h4>Answers</h4>
${answered.map(
  ([
    status,
    { description: meaning, content = {} },
  ]) => html`<p><b>${status}</b> ${renderContent(content)}${meaning}</p>
`,
)}
${renderRefusals(refused)}
</details>`;
}

/** Most refusals are alike for all operations of a service, so the list is closed until somebody opens it. */
function renderRefusals(refused: readonly Answer[]) {
  if (refused.length === 0) return '';
  const bodies = new Map(
    refused.map(([, { content = {} }]) => [JSON.stringify(content), renderContent(content)]),
  );
  const isOneBody = bodies.size === 1;
  return html`<details><summary>Refusals: ${refused.map(([status]) => status).join(', ')}</summary>
${isOneBody ? html`<p class="hint">Each with ${[...bodies.values()][0]}</p>` : ''}<dl class="refusals">
${refused.map(([status, { description: meaning, content = {} }]) => html`<dt>${status}</dt><dd>${meaning}${isOneBody ? '' : html` ${renderContent(content)}`}</dd>`)}</dl></details>`;
}

function renderParameters(parameters: readonly OpenApiParameter[]) {
  return html`<h4>Parameters</h4>
<div class="scroll" tabindex="0"><table class="stacks">
<thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${parameters.map(
  ({ name, in: place, required, description, schema }) =>
    html`<tr><th scope="row"><code>${name}</code><p class="hint">${place}${required ? '' : ', optional'}</p></th><td data-label="Value"><div>${renderType(schema)}</div></td><td data-label="Meaning"><div>${description}</div></td></tr>`,
)}
</tbody></table></div>`;
}

function renderSchema(name: string, schema: JsonSchema) {
  const required = new Set(schema.required);
  return html`<details class="schema" aria-labelledby="${name}">
<summary><h3 id="${name}">${name}</h3></summary>
<p>${schema.description ?? ''}</p>
<div class="scroll" tabindex="0"><table class="stacks">
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(schema.properties ?? {}).map(([field, property]) => {
  // None of our properties has a boolean schema.
  const value = property as JsonSchema;
  return html`<tr><th scope="row"><code>${field}</code>${required.has(field) ? '' : html`<p class="hint">optional</p>`}</th><td data-label="Value"><div>${renderType(value)}</div></td><td data-label="Meaning"><div>${value.description ?? ''}</div></td></tr>`;
})}
</tbody></table></div>
</details>`;
}

function listCodes(names: readonly string[], between: string): Html[] {
  return names.map((name, index) => html`${index === 0 ? '' : between}<code>${name}</code>`);
}

function renderContent(content: OpenApiContent): Html[] {
  return Object.entries(content).map(
    ([type, { schema }]) =>
      html`${type === 'application/json' ? '' : html`<code>${type}</code>: `}${renderType(schema)} `,
  );
}

function renderType(schema: JsonSchema): Html {
  const { $ref, type, items, properties } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return html`<a href="#${name}">${name}</a>`;
  }
  if (type === 'array') return html`list of ${renderType(items as JsonSchema)}`; // lists of ours have one kind of item
  if (type === 'object' && properties !== undefined) {
    return html`object with ${listCodes(Object.keys(properties), ', ')}`;
  }
  const words = schema.pattern === undefined ? undefined : patternsInWords[schema.pattern];
  if (words !== undefined) return html`${words}`;
  return html`${[type].flat().join(' or ')}${constraints(schema).map((text) => html`, ${text}`)}`;
}

/** The most frequent patterns, in words for people. */
const patternsInWords: Readonly<Record<string, string>> = {
  '^0x[a-fA-F0-9]{40}$': 'address: 0x and 40 hexadecimal digits',
  '^\\d+$': 'whole number, written as text',
};

function constraints(schema: JsonSchema): string[] {
  const { const: only, enum: choices, pattern, format, minimum, maximum } = schema;
  const range = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
  ];
  return [
    ...(only === undefined ? [] : [`always ${only}`]),
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(pattern === undefined ? [] : [`matching ${pattern}`]),
    ...(format === undefined ? [] : [format]),
    ...(schema.exclusiveMinimum === undefined ? [] : [`above ${schema.exclusiveMinimum}`]),
    ...(range.length === 0 ? [] : [range.join(' ')]),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ];
}

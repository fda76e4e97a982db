import { html } from 'hono/html';
import { type Html, renderPage } from '../../kernel/http/page/render-page.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from './describe-operations.ts';

/**
 * The description for people, made from the one for machines: a page like all others of the server,
 * which runs no script. `sample` is a command that asks for a quote. Answers what serves the page.
 */
export function renderDocsPage(document: OpenApiDocument, sample: string): () => Promise<Response> {
  const { info, paths, components } = document;
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, get }));
  const body = html`<div class="card"><h1>${info.title}</h1>
<p>${info.description}</p>
<nav aria-label="Operations"><ul>
${operations.map(({ path, get }) => html`<li><a href="#${get.operationId}">${get.summary}</a> <code>${path}</code></li>`)}
<li><a href="#schemas">Schemas</a></li>
<li><a href="openapi.json">OpenAPI document</a>, version ${info.version}</li>
</ul></nav>
<h2>Try it</h2>
<pre tabindex="0"><code>${sample}</code></pre></div>
${operations.map(({ path, get }) => renderOperation(path, get))}
<section class="card" aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => renderSchema(name, schema))}
</section>`;
  const footer = `Tradewind ${info.version}`;
  return () => renderPage({ title: info.title, isWide: true, footer, body });
}

function renderOperation(path: string, operation: OpenApiOperation) {
  const { operationId, summary, description, parameters, responses } = operation;
  return html`<section class="card" aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary}: <code>GET ${path}</code></h2>
<p>${description}</p>
${parameters.length === 0 ? '' : renderParameters(parameters)}
<h3>Answers</h3>
<div class="scroll"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Body</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(responses).map(
  ([status, { description: meaning, content }]) =>
    html`<tr><th scope="row">${status}</th><td>${renderType(content['application/json'].schema)}</td><td>${meaning}</td></tr>`,
)}
</tbody></table></div>
</section>`;
}

function renderParameters(parameters: readonly OpenApiParameter[]) {
  return html`<h3>Parameters</h3>
<div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${parameters.map(
  ({ name, in: place, required, description, schema }) =>
    html`<tr><th scope="row"><code>${name}</code>${required ? '' : ' (optional)'}</th><td>${place}</td><td>${renderType(schema)}</td><td>${description}</td></tr>`,
)}
</tbody></table></div>`;
}

function renderSchema(name: string, schema: JsonSchema) {
  const required = new Set(schema.required);
  return html`<section aria-labelledby="${name}">
<h3 id="${name}">${name}</h3>
<p>${schema.description ?? ''}</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(schema.properties ?? {}).map(([field, property]) => {
  // A property of ours is never the schema true or false.
  const value = property as JsonSchema;
  return html`<tr><th scope="row"><code>${field}</code>${required.has(field) ? '' : ' (optional)'}</th><td>${renderType(value)}</td><td>${value.description ?? ''}</td></tr>`;
})}
</tbody></table></div>
</section>`;
}

function renderType(schema: JsonSchema): Html {
  const { $ref, type, items, properties } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return html`<a href="#${name}">${name}</a>`;
  }
  if (type === 'array') return html`list of ${renderType(items as JsonSchema)}`; // lists of ours have one kind of item
  if (type === 'object' && properties !== undefined) {
    return html`object with ${Object.keys(properties).map(
      (name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`,
    )}`;
  }
  return html`${[type].flat().join(' or ')}${constraints(schema).map((text) => html`, ${text}`)}`;
}

function constraints(schema: JsonSchema): string[] {
  const { const: only, enum: choices, pattern, format, minimum, maximum } = schema;
  return [
    ...(only === undefined ? [] : [`always ${only}`]),
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(pattern === undefined ? [] : [`matching ${pattern}`]),
    ...(format === undefined ? [] : [format]),
    ...(schema.exclusiveMinimum === undefined ? [] : [`above ${schema.exclusiveMinimum}`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ];
}

import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from './describe-operations.ts';

const style = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --accent: #0b62c4; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #161b22; --accent: #6cb2ff; } }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { line-height: 1.2; } h2 { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 1.5rem; }
h2 code { overflow-wrap: anywhere; } h3 { margin-bottom: .25rem; }
a { color: var(--accent); } a:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; overflow-x: auto; padding: .8rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; min-width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; }
.skip { left: -99rem; position: absolute; } .skip:focus { position: static; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** The content policy of the page: its own styles and nothing else. */
export const docsPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * The description for people, made from the one for machines: plain HTML that loads nothing, runs no
 * script and follows the reader's choice of light or dark. `sample` is a command that asks for a quote.
 */
export function renderDocsPage(document: OpenApiDocument, sample: string) {
  const { info, paths, components } = document;
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, get }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1>${info.title}</h1>
<p>${info.description}</p>
<nav aria-label="Operations"><ul>
${operations.map(({ path, get }) => html`<li><a href="#${get.operationId}">${get.summary}</a> <code>${path}</code></li>`)}
<li><a href="#schemas">Schemas</a></li>
<li><a href="openapi.json">OpenAPI document</a>, version ${info.version}</li>
</ul></nav>
</header>
<main id="content">
<h2>Try it</h2>
<pre tabindex="0"><code>${sample}</code></pre>
${operations.map(({ path, get }) => renderOperation(path, get))}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => renderSchema(name, schema))}
</main>
</body>
</html>
`;
}

function renderOperation(path: string, operation: OpenApiOperation) {
  const { operationId, summary, description, parameters, responses } = operation;
  return html`<section aria-labelledby="${operationId}">
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

function renderType(schema: JsonSchema): ReturnType<typeof html> {
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

import { html, useEffect, useState, type VNode } from '../vendor/preact.js';
import { callApi, fetchApi } from './api.ts';
import { now } from './clock.ts';
import { ConfirmDialog, Field } from './parts/form.ts';
import { InSight, Problem, Waiting } from './parts/outcome.ts';
import { CopyBox } from './parts/text.ts';

type Answer = { readonly status: number; readonly milliseconds: number; readonly text: string };

/** A form that sends an operation to this server, as whoever is signed in, and shows what it answers (K9). */
export function OperationForm({ id }: { id: string }): VNode {
  const [operation, setOperation] = useState<DescribedOperation>();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState('');
  const [state, setState] = useState<{
    isWaiting?: boolean;
    isAsking?: boolean;
    error?: unknown;
    answer?: Answer;
  }>({});
  useEffect(() => {
    begin(id).then(
      ({ described, first }) => {
        setOperation(described);
        setValues(first);
        setBody(described.body?.example ?? '');
      },
      (error: unknown) => setState({ error }),
    );
  }, [id]);
  if (operation === undefined) {
    return html`<${Problem} error=${state.error} />${state.error === undefined && html`<${Waiting}>Reading the description …<//>`}`;
  }
  const send = async () => {
    setState({ isWaiting: true });
    setState(
      await callOperation(operation, { values, body }).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      ),
    );
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (state.isWaiting) return;
    if (operation.method === 'DELETE') setState({ isAsking: true });
    else void send();
  };
  const { isWaiting, isAsking, error, answer } = state;
  return html`<form class="tall" onSubmit=${submit}>
    ${operation.parameters.map(
      (
        parameter,
      ) => html`<${Field} key=${parameter.name} label=${parameter.name} value=${values[parameter.name] ?? ''} hint=${`${parameter.required ? 'Required. ' : ''}${parameter.description ?? ''}`}
        onChange=${(value: string) => setValues((before) => ({ ...before, [parameter.name]: value }))}
        choices=${parameter.schema.enum && ['', ...parameter.schema.enum].map((value) => ({ value: String(value), text: String(value) }))}
        attributes=${{ required: parameter.required }} />`,
    )}
    ${operation.body && html`<${Field} label="Body" isLong value=${body} onChange=${setBody} hint=${operation.body.type} />`}
    <button class="main" aria-disabled=${isWaiting}>Send ${operation.method}</button>
    ${isWaiting && html`<${Waiting}>Waiting for the answer …<//>`}<${Problem} error=${error} />
    ${
      answer &&
      html`<${InSight}><h4>Answer</h4><div role="status"><p><span class=${`badge ${answer.status < 400 ? 'good' : 'bad'}`}>${answer.status}</span> in ${answer.milliseconds} ms</p></div>
      <${CopyBox} label="Answer" text=${answer.text} /><//>`
    }
    ${
      isAsking &&
      html`<${ConfirmDialog} title="Send this DELETE?" action="Send DELETE" effects=${`What ${fillPath(operation, values)} names is removed from the server. The description of the operation says whether this can be undone.`}
      onCancel=${() => setState({})} onConfirm=${send} />`
    }</form>`;
}

/** The description of an operation, and values with which it can be sent at once. */
async function begin(id: string): Promise<{
  described: DescribedOperation;
  first: Readonly<Record<string, string>>;
}> {
  const described = await describeOperation(id);
  const first = Object.fromEntries(described.parameters.map((one) => [one.name, firstValue(one)]));
  if (first.chainId !== '') return { described, first };
  // The document does not list the chains, so ask the server.
  const { chains } = await callApi<{ chains: readonly { chainId: number }[] }>('/v1/chains');
  return { described, first: { ...first, chainId: String(chains[0]?.chainId ?? '') } };
}

function firstValue({ schema }: Parameter): string {
  const value = schema.default ?? schema.examples?.[0];
  return value === undefined ? '' : String(value);
}

function fillPath({ path }: DescribedOperation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

async function callOperation(
  operation: DescribedOperation,
  { values, body }: { values: Readonly<Record<string, string>>; body: string },
): Promise<Answer> {
  const given = (place: Parameter['in']) =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place && values[parameter.name])
        .map(({ name }) => [name, values[name] ?? '']),
    );
  const begun = now();
  const response = await fetchApi(fillPath(operation, values), {
    method: operation.method,
    query: given('query'),
    headers: {
      ...given('header'),
      ...(operation.body ? { 'Content-Type': operation.body.type } : {}),
    },
    ...(operation.body ? { text: body } : {}),
  });
  const text = await firstPart(response);
  return { status: response.status, milliseconds: now() - begun, text: pretty(text) };
}

/** A stream never ends, so its first event is shown instead. */
async function firstPart(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The part of a JSON schema that a form needs. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
};

/** An operation as the OpenAPI document describes it. */
type DescribedOperation = {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** An example of the body, and its type; absent for an operation without a body. */
  readonly body?: { readonly type: string; readonly example: string };
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

type RawOperation = {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
};

let asked: Promise<Document> | undefined;

/** Reads the document once for the page, and finds an operation in it. */
async function describeOperation(id: string): Promise<DescribedOperation> {
  asked ??= callApi<Document>('/openapi.json');
  const document = await asked;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return describe(document, { path, method, operation });
    }
  }
  throw new Error(`The document has no operation ${id}.`);
}

function describe(
  document: Document,
  place: { path: string; method: string; operation: RawOperation },
): DescribedOperation {
  const { path, method, operation } = place;
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  return {
    path,
    method: method.toUpperCase(),
    parameters: operation.parameters.filter((parameter) => 'name' in parameter),
    ...(type === undefined || content === undefined
      ? {}
      : { body: { type, example: writeBody(type, exampleOf(content.schema, document, 0)) } }),
  };
}

function writeBody(type: string, example: unknown): string {
  if (type !== 'application/x-www-form-urlencoded') return JSON.stringify(example, null, 2);
  const fields = Object.entries((example ?? {}) as Record<string, unknown>); // forms are flat
  return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
}

/** An example value: the schema's own if it has one. Follows references no deeper than a person would type. */
function exampleOf(schema: Schema, document: Document, depth: number): unknown {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    return named === undefined || depth > 4 ? {} : exampleOf(named, document, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0], document, depth);
  const [type] = [schema.type].flat();
  if (type === 'array') return schema.items ? [exampleOf(schema.items, document, depth + 1)] : [];
  if (type === 'object') {
    const wanted = schema.required ?? Object.keys(schema.properties ?? {});
    return Object.fromEntries(
      wanted.map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, document, depth + 1)]),
    );
  }
  return { string: '', number: 0, integer: 0, boolean: false }[String(type)] ?? null;
}

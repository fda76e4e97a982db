import { callApi } from '../api.ts';

/** The part of a JSON schema that a form needs. */
export type Schema = {
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

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
};

/** An operation as the OpenAPI document describes it. */
export type DescribedOperation = {
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
export async function describeOperation(id: string): Promise<DescribedOperation> {
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

import { z } from 'zod';
import { flattenPath, parsePathTemplate } from '../../kernel/edge/index-operations.ts';
import type { Version } from './methods/beta-methods.ts';
import type { Method } from './methods/method.ts';
import { standardQuery } from './standard-query.ts';

type Json = Record<string, unknown>;

// The day on which the interface last changed, yyyymmdd.
const revision = '20261119';

const scopeDescriptions: Readonly<Record<string, string>> = {
  'subscriptions.read': 'See your subscriptions and their deliveries.',
  'subscriptions.write': 'See, create, change and delete your subscriptions.',
  'events.publish': 'Publish events.',
  admin: 'Administer this server.',
};

/**
 * Makes the discovery document of a version (E9.1-E9.10, G14) from the declarations that also route and check requests.
 * Methods that are apart are left out. Returns a function of the address that the client used.
 */
export function describeApi(all: readonly Method[], version: Version): (rootUrl: string) => Json {
  const methods = all.filter(({ path, isApart }) => !isApart && path.startsWith(`/${version}/`));
  const document = {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: `workspaceevents:${version}`,
    name: 'workspaceevents',
    canonicalName: 'Workspace Events',
    version,
    revision,
    title: 'Change notifications',
    description: 'Subscribe to events of applications and manage the notifications of changes.',
    documentationLink: 'https://developers.google.com/workspace/events',
    ownerDomain: 'localhost',
    ownerName: 'Tradewind',
    icons: {},
    protocol: 'rest',
    basePath: '',
    servicePath: '',
    batchPath: 'batch',
    version_module: true,
    fullyEncodeReservedExpansion: true,
    auth: { oauth2: { scopes: describeScopes(methods) } },
    parameters: describeQuery(standardQuery),
    schemas: toDiscoverySchemas(
      methods.flatMap(({ body, answer }) =>
        body ? [body.schema, answer.schema] : [answer.schema],
      ),
    ),
    resources: describeResources(methods),
  };
  return (rootUrl) => ({ ...document, rootUrl, baseUrl: rootUrl, mtlsRootUrl: rootUrl });
}

function describeScopes(methods: readonly Method[]): Json {
  const scopes = [...new Set(methods.flatMap((method) => method.scopes))];
  return Object.fromEntries(
    scopes.map((scope) => [scope, { description: scopeDescriptions[scope] ?? scope }]),
  );
}

/**
 * `subscriptions.create` belongs to the resource `subscriptions`, and `projects.topics.listen` to `topics` within
 * `projects`.
 */
function describeResources(methods: readonly Method[]): Json {
  type Resource = { methods?: Json; resources?: Record<string, Resource> };
  const root: Resource = {};
  for (const method of methods) {
    const [name = '', ...parents] = idInVersion(method).split('.').reverse();
    let resource = root;
    for (const parent of parents.reverse()) {
      resource.resources ??= {};
      resource.resources[parent] ??= {};
      resource = resource.resources[parent];
    }
    resource.methods = { ...resource.methods, [name]: describeMethod(method) };
  }
  return root.resources ?? {};
}

function describeMethod(method: Method): Json {
  const { description, body, answer, scopes } = method;
  const { path, flatPath, variable, pattern } = describePath(method.path);
  const named = variable === '' ? {} : { [variable]: describeName(pattern) };
  return {
    id: `workspaceevents.${idInVersion(method)}`,
    httpMethod: method.method,
    path,
    flatPath,
    description,
    parameterOrder: Object.keys(named),
    parameters: { ...named, ...describeQuery(method.parameters) },
    ...(body === undefined ? {} : { request: { $ref: idOf(body.schema) } }),
    response: { $ref: idOf(answer.schema) },
    scopes,
  };
}

/** Among all operations of the server a name holds the version that it is of, and in the document of that version not. */
function idInVersion({ id }: Method): string {
  return id.replace(/^v1beta\./, '');
}

function describeName(pattern: string): Json {
  const description = 'The name of the resource.';
  return { type: 'string', location: 'path', required: true, pattern, description };
}

/** `v1/{name=subscriptions/*}:x` as `v1/{+name}:x` and `v1/subscriptions/{subscriptionsId}:x`. */
function describePath(path: string) {
  const template = parsePathTemplate(path);
  const named = template.segments.filter(({ variable }) => variable !== undefined);
  const variable = named[0]?.variable ?? '';
  const patterns = named.map(({ text }) => ({ '*': '[^/]+', '**': '.*' })[text] ?? text);
  return {
    path: path.slice(1).replace(/\{[^{}]*\}/, `{+${variable}}`),
    variable,
    flatPath: flattenPath(template).slice(1),
    pattern: `^${patterns.join('/')}$`,
  };
}

function describeQuery(query: z.ZodObject): Json {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { type, format, description, ...rest } = property as Json;
      // JSON Schema leaves out the default of a field that is transformed when it is read, such as a flag.
      const byDefault = query.shape[name]?.meta()?.default;
      return [
        name,
        {
          type: type ?? 'string',
          location: 'query',
          ...(typeof format === 'string' && format !== 'uuid' ? { format } : {}),
          ...(byDefault === undefined ? {} : { default: byDefault }),
          ...(rest.enum === undefined || type === 'boolean' ? {} : { enum: rest.enum }),
          ...(rest.enumDescriptions === undefined
            ? {}
            : { enumDescriptions: rest.enumDescriptions }),
          description,
        },
      ];
    }),
  );
}

function idOf(schema: z.ZodType): string {
  const { id } = schema.meta() ?? {};
  if (id === undefined) throw new TypeError('A schema of a method has no id: give it one by meta.');
  return id;
}

type JsonSchema = Record<string, unknown>;

/** The schemas of messages and of those they refer to, by id, as a discovery document writes them. */
function toDiscoverySchemas(schemas: readonly z.ZodType[]): JsonSchema {
  const described: JsonSchema = {};
  for (const schema of new Set(schemas)) {
    const { $defs = {}, ...whole } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    });
    const own = schema.meta()?.id;
    for (const [id, definition] of [...Object.entries($defs), ...(own ? [[own, whole]] : [])]) {
      described[String(id)] ??= { id, ...describe(definition as JsonSchema) };
    }
  }
  return described;
}

/** The part of JSON Schema that discovery documents know. Other rules of a field are left out. */
function describe(schema: JsonSchema): JsonSchema {
  const { type, $ref, properties, items, additionalProperties, format } = schema;
  if (typeof $ref === 'string') {
    return { $ref: $ref.replace('#/$defs/', ''), ...keep(schema, ['description']) };
  }
  return {
    ...(type === undefined ? { type: 'any' } : { type }),
    ...(typeof format === 'string' ? { format } : {}),
    ...keep(schema, ['description', 'readOnly', 'enum', 'enumDescriptions']),
    ...(properties === undefined ? {} : { properties: describeAll(properties as JsonSchema) }),
    ...(items === undefined ? {} : { items: describe(items as JsonSchema) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: describe(additionalProperties as JsonSchema) }
      : {}),
  };
}

function describeAll(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, describe(property as JsonSchema)]),
  );
}

function keep(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}

import { z } from 'zod';
import { requireScopes } from '../applications/require-scopes.ts';
import { eventsLimits } from '../limits.ts';
import type { Application, CatalogueMatch } from '../model/application.ts';
import type { EventsCaller } from '../model/caller.ts';
import { insufficientScope } from '../model/events-error.ts';
import type { Subscription } from '../model/subscription.ts';
import { describeEventType, type EventTypeEntry, readArguments } from './event-types.ts';
import type { McpContext, McpRequest } from './mcp-context.ts';
import { unknownEvent, wrongParameter } from './mcp-error.ts';
import { canonicalJson } from './subscription-key.ts';

const pageSize = eventsLimits.mcpPage.value;
const longestName = 255;
const pageBinding = 'event types of MCP';

/** The parameters of a method as an object. Throws `INVALID_ARGUMENT`. */
export function readParams(params: unknown): Readonly<Record<string, unknown>> {
  const { data } = z.record(z.string(), z.unknown()).safeParse(params ?? {});
  if (data === undefined) throw wrongParameter('params', 'must be an object');
  return data;
}

/**
 * `events/list`: the event types that the caller may subscribe to, in pages (M5, M6, M10 to M12). Throws `INVALID_ARGUMENT` for a
 * cursor that no page gave.
 */
export async function listEventTypes(
  context: Pick<McpContext, 'catalogue' | 'offersAll' | 'sealer'>,
  { caller, params }: Pick<McpRequest, 'caller' | 'params'>,
): Promise<{ events: EventTypeEntry[]; nextCursor?: string }> {
  const { cursor } = readParams(params);
  const after = cursor === undefined || cursor === null ? '' : openCursor(context, cursor);
  const offered = (await context.catalogue.list())
    .filter((application) => isOffered(context, application))
    .filter(({ scopes }) => mayHave(caller, scopes))
    .flatMap((application) => typesOf(application).map((type) => ({ application, type })))
    .filter(({ type }) => type > after)
    .sort((one, other) => (one.type < other.type ? -1 : 1));
  const page = offered.slice(0, pageSize);
  const last = page.at(-1)?.type;
  return {
    events: page.map(describeEventType),
    ...(offered.length > pageSize && last !== undefined
      ? { nextCursor: context.sealer.seal(last, pageBinding) }
      : {}),
  };
}

function openCursor({ sealer }: Pick<McpContext, 'sealer'>, cursor: unknown): string {
  try {
    if (typeof cursor === 'string') return sealer.open(cursor, pageBinding);
  } catch {
    // Nobody but this server seals, so any failure means that it is none of its cursors.
  }
  throw wrongParameter('cursor', 'must be the nextCursor of a page, or left out');
}

/** Batch types are not among those of the targets, and lifecycle types are in no application (M6). */
function typesOf({ targets }: Application): readonly string[] {
  const types = new Set(targets.flatMap(({ eventTypes }) => eventTypes));
  return [...types].filter((type) => type.length <= longestName);
}

/** The public families fire rarely, so they are offered on request alone (M12). */
function isOffered(
  { offersAll }: Pick<McpContext, 'offersAll'>,
  application: Application,
): boolean {
  return offersAll || !application.isBuiltIn || application.described !== undefined;
}

function mayHave({ scope }: EventsCaller, scopes: readonly string[]): boolean {
  return scopes.length === 0 || scopes.some((one) => scope.includes(one));
}

/** An event type that may be subscribed to, as a request names it. */
export type Wanted = Pick<Subscription, 'targetResource' | 'options'> & {
  readonly name: string;
  /** As they were sent. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly match: CatalogueMatch;
};

/**
 * Reads name and arguments of a request in the order of M19. `between` is called after the name is known. Throws
 * `NOT_FOUND` for an unknown name, `PERMISSION_DENIED` for a token without a scope of its application, and
 * `INVALID_ARGUMENT` for arguments that name no target that exists.
 */
export async function readWanted(
  context: McpContext,
  { caller, params }: { caller: EventsCaller; params: Readonly<Record<string, unknown>> },
  between: () => void = () => {},
): Promise<Wanted> {
  const { catalogue } = context;
  const { name } = params;
  if (typeof name !== 'string' || name === '') throw wrongParameter('name', 'must be a text');
  const application = await catalogue.applicationOf(name);
  const isThere = application && isOffered(context, application);
  if (!isThere || !typesOf(application).includes(name)) throw unknownEvent(name);
  await requireScopes({ catalogue, caller, eventTypes: [name], of: 'every type' });
  between();
  const given = readGivenArguments(params.arguments);
  const { named, violation } = readArguments({ application, type: name }, given);
  if (violation !== undefined) throw wrongParameter(violation.field, violation.description);
  const { targetResource } = named;
  const match = await catalogue.match(targetResource);
  const isLong = Buffer.byteLength(targetResource) > eventsLimits.targetResource.value;
  if (isLong || match === undefined || !match.eventTypes.includes(name)) {
    throw wrongParameter('arguments', 'name a target that does not exist here');
  }
  await requireScopes({ catalogue, caller, eventTypes: [name], targetResource, of: 'every type' });
  return {
    name,
    arguments: given,
    targetResource,
    options: readOptions(application, named),
    match,
  };
}

/** The arguments of a request as they were sent; none if they are left out. Throws `INVALID_ARGUMENT`. */
export function readGivenArguments(value: unknown): Readonly<Record<string, unknown>> {
  const { data } = z.record(z.string(), z.unknown()).safeParse(value ?? {});
  if (data === undefined) throw wrongParameter('arguments', 'must be an object');
  const most = eventsLimits.mcpArguments.value;
  if (Buffer.byteLength(canonicalJson(data)) <= most) return data;
  throw wrongParameter('arguments', `must have at most ${most} bytes`);
}

function readOptions(
  { options: own }: Application,
  {
    targetResource,
    options,
  }: { targetResource: string; options: Readonly<Record<string, unknown>> },
): Subscription['options'] {
  if (own === undefined) return {};
  const given = Object.keys(options).length === 0 ? undefined : options;
  const { value, violations = [] } = own.read(targetResource, given);
  const [violation] = violations;
  if (violation !== undefined) {
    const field = violation.field.replace(`${own.field}.`, 'arguments.');
    throw wrongParameter(field, violation.description);
  }
  return value === undefined ? {} : { [own.field]: value };
}

/** Throws `PERMISSION_DENIED` unless the token holds one of the scopes (M66). */
export function requireOneScope(
  caller: EventsCaller,
  scopes: readonly string[],
  what: string,
): void {
  if (!scopes.some((scope) => caller.scope.includes(scope)))
    throw insufficientScope(scopes, { what });
}

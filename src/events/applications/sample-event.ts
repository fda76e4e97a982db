import type { Application } from '../model/application.ts';
import { parsePairTarget } from '../model/application-options.ts';
import { isCustomer } from '../model/customer-target.ts';
import type { NewEvent } from '../model/event.ts';
import { swapTypes } from './own-event-types.ts';

/** An event for tests; the sender adds an id, a source and a time. */
export type SampleEvent = Pick<NewEvent, 'type' | 'subject' | 'data'>;

const fillings: Readonly<Record<string, string>> = {
  chain: '31337',
  in: '0x1111111111111111111111111111111111111111',
  out: '0x2222222222222222222222222222222222222222',
};

/**
 * A sample of an event type (K4, K7), with data shaped like that of a real event. It is about the given target, or else
 * about one made from the first pattern that has this type. Does not check that the target fits. Undefined if the
 * application does not have the type.
 */
export function sampleEvent(
  type: string,
  {
    application,
    target,
  }: { readonly application: Application; readonly target?: string | undefined },
): SampleEvent | undefined {
  const found = application.targets.find(({ eventTypes }) => eventTypes.includes(type));
  if (found === undefined) return undefined;
  const resource = resourceOf(type);
  // The customer stands for many resources, of which an event is about one.
  const isOne = target !== undefined && !isCustomer(target);
  const place = isOne ? nameParts(target) : fill(found.pattern);
  const state = userStates.get(resource);
  const isAbout = isOwn(type) || state !== undefined || endsInA(resource, place);
  const subject = isAbout ? place : `${place}/${pluralOf(resource)}/sample`;
  const owner = subject.replace(/^\/\/[^/]*\//, '');
  const name = state === undefined ? owner : `${owner}/${state}`;
  return { type, subject, data: { [resource]: { name, ...detailsOf(type, subject) } } };
}

/** The states of a user in Chat, by what follows the user in their names: their events are about the user (G7, G8). */
const userStates: ReadonlyMap<string, string> = new Map([
  ['spaceReadState', 'spaces/sample/spaceReadState'],
  ['threadReadState', 'spaces/sample/threads/sample/threadReadState'],
  ['availability', 'availability'],
]);

/** `crm.deal.v1.won` is about a deal: the part before the version, or before the last part. */
function resourceOf(type: string): string {
  const parts = type.split('.');
  const version = parts.findIndex((part) => /^v\d+$/.test(part));
  return parts[version > 0 ? version - 1 : parts.length - 2] ?? 'resource';
}

function fill(pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => fillings[name] ?? 'sample');
}

/** `-` in a target means any resource; an event is about one of them, here `sample`. */
function nameParts(target: string): string {
  return target
    .split('/')
    .map((part) => (part === '-' ? 'sample' : part))
    .join('/');
}

/** A sample of this server's own types is about the target itself. */
function isOwn(type: string): boolean {
  return type.startsWith('tradewind.');
}

function endsInA(resource: string, place: string): boolean {
  return place.split('/').at(-2) === pluralOf(resource);
}

function pluralOf(resource: string): string {
  return resource.endsWith('y') ? `${resource.slice(0, -1)}ies` : `${resource}s`;
}

function detailsOf(type: string, subject: string): Readonly<Record<string, unknown>> {
  const pair = parsePairTarget(subject);
  if (pair === undefined) return {};
  const amounts = { amountIn: '1000000000000000000', amountOut: '3000000000' };
  const block = { blockNumber: 1, blockHash: `0x${'0'.repeat(64)}` };
  const common = { ...pair, ...amounts, price: 3_000, ...block };
  if (type === swapTypes.routeChanged) return { ...common, paths: [] };
  return { ...common, previousAmountIn: amounts.amountIn, previousAmountOut: '2970000000' };
}

import type { z } from 'zod';
import type { ContextCaller } from './caller.ts';

/** For whom something is asked, and until when it is wanted. */
export type AskOptions = { readonly caller: ContextCaller; readonly signal: AbortSignal };

/** Something that can be asked, with the shape of what it answers. */
export type Answerer<Question> = {
  readonly output: z.ZodObject;
  /** Throws a `DomainError` whose message may be shown. */
  ask(question: Question, options: AskOptions): Promise<object>;
};

/** Parameters as text, by the names of the published interface. */
export type TextParameters = Readonly<Record<string, string>>;

/** The quote interface. */
export type SwapUseCases = {
  readonly quote: Answerer<TextParameters>;
  readonly chains: Answerer<TextParameters>;
  readonly tokens: Answerer<TextParameters>;
};

/** Subscriptions, of the caller alone; bodies and answers in the published JSON form. */
export type SubscriptionUseCases = {
  create(body: object, options: AskOptions): Promise<object>;
  get(name: string, options: AskOptions): Promise<object>;
  list(query: TextParameters, options: AskOptions): Promise<object>;
  delete(name: string, options: AskOptions): Promise<object>;
  reactivate(name: string, options: AskOptions): Promise<object>;
};

/** Two tokens of a chain, in the direction of the swap. */
export type Pair = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
};

/** Prices of pairs that change. */
export type PairUseCases = {
  /** The current price. */
  read(pair: Pair, options: AskOptions): Promise<object>;
  /** Calls back after each change until the returned function is called. */
  watch(pair: Pair, onChange: () => void): () => void;
};

/** The methods of MCP Events that give one answer. */
export const eventMethods = [
  'events/list',
  'events/subscribe',
  'events/unsubscribe',
  'events/poll',
] as const;
export type EventMethod = (typeof eventMethods)[number];

/** What happens on a stream of events. */
export type EventStep =
  | { readonly kind: 'active'; readonly cursor: string; readonly truncated: boolean }
  | { readonly kind: 'event'; readonly occurrence: object; readonly cursor: string }
  | { readonly kind: 'heartbeat'; readonly cursor: string }
  | { readonly kind: 'terminated'; readonly error: object };

/** MCP Events, with parameters and answers as the protocol has them. */
export type EventUseCases = {
  ask(method: EventMethod, params: object, options: AskOptions): Promise<object>;
  /** Checks the request, then returns what happens until the signal fires. */
  stream(params: object, options: AskOptions): Promise<AsyncIterable<EventStep>>;
  /** The JSON-RPC error that a refusal is; undefined for a fault. */
  toError(
    error: unknown,
  ): { readonly code: number; readonly message: string; readonly data?: object } | undefined;
  /** The scopes of which a caller needs one for events of this type; none if it needs none. */
  scopesOf(name: string): Promise<readonly string[]>;
};

/** What callers can do here. What a process does not serve is absent, and so are its tools. */
export type ContextUseCases = {
  readonly swap?: SwapUseCases | undefined;
  readonly subscriptions?: SubscriptionUseCases | undefined;
  readonly pairs?: PairUseCases | undefined;
  readonly events?: EventUseCases | undefined;
};

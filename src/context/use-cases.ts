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

/** What callers can do here. What a process does not serve is absent, and so are its tools. */
export type ContextUseCases = {
  readonly swap?: SwapUseCases | undefined;
  readonly subscriptions?: SubscriptionUseCases | undefined;
  readonly pairs?: PairUseCases | undefined;
};

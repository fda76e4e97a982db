import type { z } from 'zod';
import type { Transaction } from '../../kernel/database/database.ts';
import type { ApplicationOptions } from './application-options.ts';
import type { Subscription } from './subscription.ts';

/** One kind of target that can be subscribed to. */
export type Target = {
  /**
   * Full resource name with `{placeholders}` for single segments: `//name/things/{thing}`. A target may have `-` in
   * place of one, for any.
   */
  readonly pattern: string;
  /** Types that can be subscribed to; batch and lifecycle types are not among them. */
  readonly eventTypes: readonly string[];
  /** Types that it once had: a subscription that has them keeps them until it ends (G9). */
  readonly formerTypes?: readonly string[];
  /** Set where it stands for many resources: its one name, and the beginnings of the subjects of its events (G4). */
  readonly covers?: { readonly name: string; readonly subjects: readonly string[] };
  /** The scope by which a client that acts for itself may subscribe to it; nobody else may (G5). */
  readonly clientScope?: string;
  /** How MCP clients name a target; without it by a text for each placeholder. */
  readonly arguments?: TargetArguments;
  /** A stricter test than the pattern, where a built-in application knows which of its targets exist. */
  exists?(targetResource: string): boolean;
};

/** The arguments by which MCP clients name a target of a pattern, as one flat object (M7). */
export type TargetArguments = {
  /** Every argument, with those that are options of the subscription. */
  readonly schema: z.ZodObject;
  /** The argument that fills each placeholder. One that is left out stands for any, if its placeholder is a segment. */
  readonly names: Readonly<Record<string, string>>;
  /** Whether it is meant where no argument says which of several patterns is. */
  readonly isDefault?: boolean;
};

/** What MCP clients are told of an event type. */
export type DescribedEvent = {
  readonly description: string;
  /** The key of its resource in the data. */
  readonly resource: string;
  /** The JSON Schemas of the fields of the resource beside its name. */
  readonly fields: Readonly<Record<string, object>>;
};

/** Whether events carry the resource itself or only its identity; with `onRequest`, `payloadOptions` decide. */
export type ResourceData = 'always' | 'onRequest' | 'never';

/**
 * The fields that say which one a resource is, by the resource's key in the data, both in camelCase. A resource that is not listed,
 * or has none of its fields, is told by its `name`, and by nothing where it has none.
 */
export type Identities = Readonly<Record<string, readonly string[]>>;

/** An application: its targets and event types, and the scopes they need. */
export type Application = {
  readonly name: string;
  readonly targets: readonly Target[];
  /** Scopes of which a caller needs one, besides those of the subscription itself. */
  readonly scopes: readonly string[];
  /** The batch type of each event type that has one (E10.7). */
  readonly batchTypes: Readonly<Record<string, string>>;
  readonly resourceData: ResourceData;
  readonly identities: Identities;
  readonly isBuiltIn: boolean;
  readonly options?: ApplicationOptions;
  /** Its event types, if they are described. */
  readonly described?: Readonly<Record<string, DescribedEvent>>;
  /** Whether the events of a target's children are not for this subscription (E2.16). */
  isNarrow?(subscription: Pick<Subscription, 'options'>): boolean;
  /**
   * Reads the initial state of a new subscription, before it is stored. The function it returns writes it in the
   * transaction that creates the subscription.
   */
  onCreate?(subscription: Subscription, signal: AbortSignal): Promise<WriteOnCreate | undefined>;
};

export type WriteOnCreate = (tx: Transaction) => Promise<void>;

/** The application that a target belongs to, and the event types of that target. */
export type CatalogueMatch = {
  readonly application: Application;
  readonly eventTypes: readonly string[];
  readonly formerTypes: readonly string[];
  readonly clientScope: string | undefined;
};

/** What can be subscribed to: the built-in applications and those the operator added. */
export type Catalogue = {
  list(): Promise<readonly Application[]>;
  /**
   * The application that has this target, with the event types of every pattern that fits it. If several share it,
   * as chat and meet share users, the first is returned with the types of all.
   */
  match(targetResource: string): Promise<CatalogueMatch | undefined>;
  /** The application that declares this event type, base or batch. */
  applicationOf(eventType: string): Promise<Application | undefined>;
};

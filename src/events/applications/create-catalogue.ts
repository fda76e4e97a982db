import type { Clock } from '../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import type { Application, Catalogue } from '../model/application.ts';
import type { ApplicationDefinition } from '../store/application-store.ts';
import { workspaceApplications } from './built-in-applications.ts';
import { fitsPattern } from './target-pattern.ts';

type CatalogueOptions = {
  /** The applications that operators added. */
  readAdded(): Promise<readonly ApplicationDefinition[]>;
  readonly builtIn: readonly Application[];
  readonly clock: Clock;
};

/** A catalogue whose cache can be dropped. */
export type RefreshableCatalogue = Catalogue & {
  /** Lets the next call read the added applications again, as after a change in this process. */
  refresh(): void;
};

// Other processes must see a change within a second. Half of that makes each of them read at most twice a second.
const rememberedMs = 500;

/** The built-in applications and those in the store, which are cached for half a second (E14.9). */
export function createCatalogue({
  readAdded,
  builtIn,
  clock,
}: CatalogueOptions): RefreshableCatalogue {
  const remembered = rememberAnswer({
    keptFor: rememberedMs,
    clock,
    ask: async () => indexTypes([...builtIn, ...(await readAdded()).map(toApplication)]),
  });

  return {
    list: async () => (await remembered.get()).applications,
    async match(targetResource) {
      const found = (await remembered.get()).applications.flatMap((application) =>
        application.targets
          .filter(({ pattern }) => fitsPattern(targetResource, pattern))
          .filter((target) => target.exists?.(targetResource) ?? true)
          .map((target) => ({ application, target })),
      );
      const application = found[0]?.application;
      if (application === undefined) return undefined;
      const targets = found.map(({ target }) => target);
      return {
        application,
        eventTypes: [...new Set(targets.flatMap(({ eventTypes }) => eventTypes))],
        formerTypes: targets.flatMap(({ formerTypes = [] }) => formerTypes),
        clientScope: targets.find(({ clientScope }) => clientScope !== undefined)?.clientScope,
      };
    },
    applicationOf: async (eventType) => (await remembered.get()).byType.get(eventType),
    refresh: remembered.forget,
  };
}

type Index = {
  readonly applications: readonly Application[];
  readonly byType: ReadonlyMap<string, Application>;
};

function indexTypes(applications: readonly Application[]): Index {
  const byType = new Map<string, Application>();
  for (const application of applications) {
    const types = application.targets.flatMap(({ eventTypes }) => eventTypes);
    for (const type of [...types, ...Object.values(application.batchTypes)]) {
      byType.set(type, application);
    }
  }
  return { applications, byType };
}

function toApplication(definition: ApplicationDefinition): Application {
  return { ...definition, ...dataOfAdded, isBuiltIn: false };
}

/** What an application declares about the data of one of its event types. */
export type DeclaredData = Pick<Application, 'identities' | 'resourceData'> & {
  /** Whether the data lists the data of several events (E10.7). */
  readonly isBatch: boolean;
};

/** What holds for applications that operators added: they declare no identities, so their resources are told by name. */
const dataOfAdded = { batchTypes: {}, identities: {}, resourceData: 'onRequest' } as const;

const declared = new Map(workspaceApplications.flatMap(declarationsOf));
const undeclared: DeclaredData = { ...dataOfAdded, isBatch: false };

/** What is declared about the data of an event type. A type is never without an answer, so no resource is sent unshaped. */
export function declaredData(eventType: string): DeclaredData {
  return declared.get(eventType) ?? undeclared;
}

const baseTypes = new Map(
  workspaceApplications.flatMap(({ batchTypes }) =>
    Object.entries(batchTypes).map(([base, batch]) => [batch, base] as const),
  ),
);

/** The type by which subscriptions to an event are found: a batch event is for those of its base type (E10.7, G7). */
export function subscribedType(eventType: string): string {
  return baseTypes.get(eventType) ?? eventType;
}

function declarationsOf(application: Application): [string, DeclaredData][] {
  const { identities, resourceData, targets, batchTypes } = application;
  const types = targets.flatMap(({ eventTypes }) => eventTypes);
  const listed =
    (isBatch: boolean) =>
    (type: string): [string, DeclaredData] => [type, { identities, resourceData, isBatch }];
  return [...types.map(listed(false)), ...Object.values(batchTypes).map(listed(true))];
}

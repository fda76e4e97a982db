import type { Application } from '../model/application.ts';
import { workspaceApplications } from './workspace-applications.ts';

/** What an application declares about the data of one of its event types. */
export type DeclaredData = Pick<Application, 'identities' | 'resourceData'> & {
  /** Whether the data lists the data of several events (E10.7). */
  readonly isBatch: boolean;
};

/** What holds for applications that operators added: they declare no identities, so their resources are told by name. */
export const dataOfAdded = { batchTypes: {}, identities: {}, resourceData: 'onRequest' } as const;

const declared = new Map(workspaceApplications.flatMap(declarationsOf));
const undeclared: DeclaredData = { ...dataOfAdded, isBatch: false };

/** What is declared about the data of an event type. A type is never without an answer, so no resource is sent unshaped. */
export function declaredData(eventType: string): DeclaredData {
  return declared.get(eventType) ?? undeclared;
}

function declarationsOf(application: Application): [string, DeclaredData][] {
  const { identities, resourceData, targets, batchTypes } = application;
  const types = targets.flatMap(({ eventTypes }) => eventTypes);
  const listed =
    (isBatch: boolean) =>
    (type: string): [string, DeclaredData] => [type, { identities, resourceData, isBatch }];
  return [...types.map(listed(false)), ...Object.values(batchTypes).map(listed(true))];
}

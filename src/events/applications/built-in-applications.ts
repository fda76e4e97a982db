import type { Application } from '../model/application.ts';
import { type OwnTargets, ownApplications } from './own-applications.ts';
import { workspaceApplications } from './workspace-applications.ts';

/** The applications that are always there: the public families, then what this server tells of itself. */
export function builtInApplications(targets: OwnTargets): Application[] {
  return [...workspaceApplications, ...ownApplications(targets)];
}

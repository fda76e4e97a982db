import type { Application } from '../model/application.ts';
import { type OwnTargets, ownApplications } from './own-applications.ts';
import { workspaceApplications } from './workspace-applications.ts';

/** The built-in applications: the public families, then those whose events this server publishes itself. */
export function builtInApplications(targets: OwnTargets): Application[] {
  return [...workspaceApplications, ...ownApplications(targets)];
}

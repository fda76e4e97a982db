import type { Application, Identities } from '../model/application.ts';
import { driveOptions, includesDescendants } from '../options/drive-options.ts';

type Family = {
  readonly application: string;
  readonly version: string;
  /** The actions of each resource. */
  readonly actions: Readonly<Record<string, readonly string[]>>;
};

const chat: Family = {
  application: 'chat',
  version: 'v1',
  actions: {
    message: ['created', 'updated', 'deleted'],
    reaction: ['created', 'deleted'],
    membership: ['created', 'updated', 'deleted'],
    space: ['updated', 'deleted'],
  },
};

const drive: Family = {
  application: 'drive',
  version: 'v3',
  actions: {
    file: ['created', 'moved', 'contentChanged', 'renamed', 'deleted', 'trashed', 'untrashed'],
    accessproposal: ['created', 'resolved'],
    approval: ['created', 'cancelled', 'reset', 'completed', 'reviewersChanged', 'responded'],
    comment: ['created', 'edited', 'resolved', 'reopened', 'deleted'],
    reply: ['created', 'edited', 'deleted'],
    permission: ['created', 'edited', 'deleted'],
  },
};

const driveIdentities: Identities = {
  file: ['id'],
  accessProposal: ['proposalId'],
  approval: ['approvalId', 'targetFileId'],
  comment: ['id', 'fileId'],
  reply: ['id', 'commentId', 'fileId'],
  permission: ['id'],
};

const meet: Family = {
  application: 'meet',
  version: 'v2',
  actions: {
    conference: ['started', 'ended'],
    participant: ['joined', 'left'],
    recording: ['started', 'ended', 'fileGenerated'],
    transcript: ['started', 'ended', 'fileGenerated'],
    smartNote: ['started', 'ended', 'fileGenerated'],
  },
};

const users = '//cloudidentity.googleapis.com/users/{user}';

/**
 * The public families (E10.15-18). Every id counts as existing and no scope is required, so that integrations can be
 * tried without a network (E14.10). Only chat has batch types.
 */
export const workspaceApplications: readonly Application[] = [
  {
    ...describeFamily(chat, ['//chat.googleapis.com/spaces/{space}', users]),
    batchTypes: batchTypesOf(chat),
    resourceData: 'onRequest',
  },
  {
    ...describeFamily(drive, [
      '//drive.googleapis.com/files/{file}',
      '//drive.googleapis.com/drives/{drive}',
    ]),
    options: driveOptions,
    identities: driveIdentities,
    isNarrow: ({ options }) => !includesDescendants(options),
  },
  describeFamily(meet, ['//meet.googleapis.com/spaces/{space}', users]),
];

function describeFamily(family: Family, patterns: readonly string[]): Application {
  const eventTypes = eventTypesOf(family);
  return {
    name: family.application,
    targets: patterns.map((pattern) => ({ pattern, eventTypes })),
    scopes: [],
    batchTypes: {},
    resourceData: 'never',
    identities: {},
    isBuiltIn: true,
  };
}

/** `{prefix}.workspace.{application}.{resource}.{version}.{action}` (E10.4). */
function eventTypesOf({ application, version, actions }: Family): string[] {
  return Object.entries(actions).flatMap(([resource, names]) =>
    names.map((action) => `google.workspace.${application}.${resource}.${version}.${action}`),
  );
}

/** `….message.v1.created` has `….message.v1.batchCreated`. */
function batchTypesOf(family: Family): Record<string, string> {
  return Object.fromEntries(
    eventTypesOf(family).map((eventType) => [
      eventType,
      eventType.replace(/\.(\w)(\w*)$/, (_, first, rest) => `.batch${first.toUpperCase()}${rest}`),
    ]),
  );
}

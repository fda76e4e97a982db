import type { Application, Identities } from '../model/application.ts';
import {
  driveOptions,
  includesDescendants,
  parsePairTarget,
  swapOptions,
} from '../model/application-options.ts';
import { customerTarget, isCustomer } from '../model/customer-target.ts';
import { customerScope } from '../scopes.ts';
import {
  authorizationTypes,
  chainArguments,
  clientArguments,
  describedAuthorization,
  describedFolder,
  describedSwap,
  folderArguments,
  folderTypes,
  pairArguments,
  swapTypes,
  userArguments,
} from './own-event-types.ts';

/** The built-in applications: the public families, then those whose events this server publishes itself. */
export function builtInApplications(targets: OwnTargets): Application[] {
  return [...workspaceApplications, ...ownApplications(targets)];
}

/** Which targets of this server exist. */
type OwnTargets = {
  /** Names of the watched folders. */
  readonly folders: readonly string[];
  servesChain(chainId: number): boolean;
  /** Reads the first price of a pair for a new subscription; set if this process has prices. */
  readonly onPairCreate?: Application['onCreate'];
};

/**
 * The applications whose events this server publishes itself (E14.11, E14.13, E14.14). A pair must be two addresses
 * on a served chain, and a folder one of the settings, since others would never have events. Events of authorization
 * are for admins, those of folders for people whom an admin allowed to see them (F11).
 */
function ownApplications({ folders, servesChain, onPairCreate }: OwnTargets): Application[] {
  const isServedPair = (target: string) => {
    const pair = parsePairTarget(target);
    return pair !== undefined && servesChain(pair.chainId);
  };
  const isServedChain = (target: string) => {
    const [, chain] = /\/(-|[1-9]\d{0,14})$/.exec(target) ?? [];
    return chain === '-' || (chain !== undefined && servesChain(Number(chain)));
  };
  return [
    describeOwn({
      name: 'swap',
      scopes: ['swap.read'],
      targets: [
        {
          pattern: '//swap/chains/{chain}/pairs/{in}-{out}',
          eventTypes: [swapTypes.priceMoved, swapTypes.routeChanged],
          arguments: pairArguments,
          exists: isServedPair,
        },
        {
          pattern: '//swap/chains/{chain}',
          eventTypes: [swapTypes.rpcsRefreshed],
          arguments: chainArguments,
          exists: isServedChain,
        },
      ],
      options: swapOptions,
      described: describedSwap,
      ...(onPairCreate === undefined ? {} : { onCreate: onPairCreate }),
    }),
    describeOwn({
      name: 'authorization',
      scopes: ['admin'],
      targets: [
        {
          pattern: '//authorization/clients/{client}',
          eventTypes: Object.values(authorizationTypes),
          arguments: clientArguments,
        },
        {
          pattern: '//authorization/users/{user}',
          eventTypes: Object.values(authorizationTypes),
          arguments: userArguments,
        },
      ],
      described: describedAuthorization,
    }),
    describeOwn({
      name: 'folder',
      scopes: ['folders.read', 'admin'],
      targets: [
        {
          pattern: '//folder/{name}',
          eventTypes: Object.values(folderTypes),
          arguments: folderArguments(folders),
          exists: (target) => ['-', ...folders].includes(target.slice('//folder/'.length)),
        },
      ],
      described: describedFolder,
    }),
  ];
}

function describeOwn(
  own: Pick<Application, 'name' | 'scopes' | 'targets' | 'options' | 'described' | 'onCreate'>,
): Application {
  return { ...own, batchTypes: {}, identities: {}, resourceData: 'always', isBuiltIn: true };
}

type Family = {
  readonly application: string;
  readonly version: string;
  /** The actions of each resource. */
  readonly actions: Readonly<Record<string, readonly string[]>>;
};

const inSpaces: Family = {
  application: 'chat',
  version: 'v1',
  actions: {
    message: ['created', 'updated', 'deleted'],
    reaction: ['created', 'deleted'],
    membership: ['created', 'updated', 'deleted'],
    space: ['updated', 'deleted'],
  },
};

const memberships: Family = {
  ...inSpaces,
  actions: { membership: ['created', 'updated', 'deleted'] },
};

/** How far a user has read (G7). */
const readStates: Family = {
  ...inSpaces,
  actions: { spaceReadState: ['updated'], threadReadState: ['updated'] },
};

/** Whether a user is there (G8); it has no batch form. */
const availability: Family = { ...inSpaces, actions: { availability: ['updated'] } };

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
 * tried without a network (E14.10). Only chat has batch types. Users have the events of their memberships and of their
 * own states there, and once had all that happens in spaces (G9). The customer has the events of every space and user.
 */
export const workspaceApplications: readonly Application[] = [
  {
    ...describeFamily(inSpaces, []),
    targets: [
      { pattern: '//chat.googleapis.com/spaces/{space}', eventTypes: eventTypesOf(inSpaces) },
      {
        pattern: users,
        eventTypes: [memberships, readStates, availability].flatMap(eventTypesOf),
        formerTypes: eventTypesOf(inSpaces),
      },
      {
        pattern: customerTarget.pattern,
        eventTypes: [inSpaces, readStates].flatMap(eventTypesOf),
        covers: customerTarget,
        clientScope: customerScope,
        exists: isCustomer,
      },
    ],
    batchTypes: { ...batchTypesOf(inSpaces), ...batchTypesOf(readStates) },
    resourceData: 'onRequest',
  },
  {
    ...describeFamily(drive, [
      '//drive.googleapis.com/files/{file}',
      '//drive.googleapis.com/drives/{drive}',
    ]),
    options: driveOptions,
    resourceData: 'onRequest',
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

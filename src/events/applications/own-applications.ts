import type { Application } from '../model/application.ts';
import { parsePairTarget } from '../options/pair-target.ts';
import { swapOptions } from '../options/swap-options.ts';
import { authorizationTypes, folderTypes, swapTypes } from './own-event-types.ts';

/** Which targets of this server exist. */
export type OwnTargets = {
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
export function ownApplications({ folders, servesChain, onPairCreate }: OwnTargets): Application[] {
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
          exists: isServedPair,
        },
        {
          pattern: '//swap/chains/{chain}',
          eventTypes: [swapTypes.rpcsRefreshed],
          exists: isServedChain,
        },
      ],
      options: swapOptions,
      ...(onPairCreate === undefined ? {} : { onCreate: onPairCreate }),
    }),
    describeOwn({
      name: 'authorization',
      scopes: ['admin'],
      targets: [
        {
          pattern: '//authorization/clients/{client}',
          eventTypes: Object.values(authorizationTypes),
        },
        { pattern: '//authorization/users/{user}', eventTypes: Object.values(authorizationTypes) },
      ],
    }),
    describeOwn({
      name: 'folder',
      scopes: ['folders.read', 'admin'],
      targets: [
        {
          pattern: '//folder/{name}',
          eventTypes: Object.values(folderTypes),
          exists: (target) => ['-', ...folders].includes(target.slice('//folder/'.length)),
        },
      ],
    }),
  ];
}

function describeOwn(
  own: Pick<Application, 'name' | 'scopes' | 'targets' | 'options' | 'onCreate'>,
): Application {
  return { ...own, batchTypes: {}, identities: {}, resourceData: 'always', isBuiltIn: true };
}

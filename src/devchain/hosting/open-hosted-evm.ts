import type { Clock } from '../../kernel/wait/clock.ts';
import {
  closedMessage,
  createEvm,
  type Evm,
  failedOutcome,
  isFailedOutcome,
} from '../evm/create-evm.ts';
import { changingMethods, type RpcRequest } from '../json-rpc/admit-request.ts';
import { devchainLimits } from '../limits.ts';
import {
  type BuiltFacts,
  type Host,
  HostEnded,
  openHost,
  requirePackages,
  type WantedChain,
} from './open-host.ts';

const mostRemembered = devchainLimits.callsRemembered.value;
/** How many characters they may have as JSON: deployed contracts are long. */
const longestRemembered = devchainLimits.callsRememberedText.value;

/**
 * The development chain in a process of its own. If that process is ended because a call took too much, that call
 * fails. A new chain is built at once, and answers those that wait: every change to the old one is repeated on it in order,
 * so balances, contracts and block numbers stay, times and hashes of blocks do not. The changes are lost if the chain
 * itself grew too large, or was changed more often than is remembered.
 */
export async function openHostedEvm(options: {
  readonly wanted: WantedChain;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onEnded?: ((reason: HostEnded) => void) | undefined;
}): Promise<{ readonly evm: Evm; readonly built: BuiltFacts }> {
  const { wanted, clock, onEnded = () => {} } = options;
  const { chainId } = wanted;
  requirePackages();
  const first = await openHost(options);
  const changes = createChanges();
  let isClosed = false;
  let host: Promise<Host> | undefined = keep(Promise.resolve(first));

  /** Opens another process as soon as this one has ended; once it has failed to start, with the next call. */
  function keep(opening: Promise<Host>): Promise<Host> {
    const forget = () => {
      if (host === opening) host = undefined;
    };
    void opening.then(async ({ ended }) => {
      const reason = await ended;
      if (isClosed) return;
      if (reason.by === 'chain-memory') changes.forget();
      onEnded(reason);
      host = keep(reopen());
    }, forget);
    return opening;
  }

  async function reopen(): Promise<Host> {
    const opened = await openHost({ wanted, clock });
    if (isClosed) opened.end();
    try {
      for (const request of changes.all()) await opened.ask(request);
    } catch (error) {
      opened.end();
      if (isClosed || changes.all().length === 0) throw error;
      // A change that was too much once is too much again: a fresh chain is better than none.
      changes.forget();
      return reopen();
    }
    return opened;
  }

  /** Runs one request at a time, so the one under way is what took too much. Any other end of the process is not its fault. */
  async function run(request: RpcRequest, isAgain = false): Promise<string> {
    if (isClosed) return failedOutcome({ code: -32000, message: closedMessage(chainId) });
    host ??= keep(reopen());
    try {
      const opened = await host;
      const outcome = await opened.ask(request);
      if (changingMethods.has(request.method) && !isFailedOutcome(outcome)) changes.add(request);
      return outcome;
    } catch (error) {
      if (isClosed) return failedOutcome({ code: -32000, message: closedMessage(chainId) });
      if (!(error instanceof HostEnded)) throw error;
      const isGuilty = error.by === 'call-time' || error.by === 'call-memory';
      if (!isGuilty && !isAgain) return run(request, true);
      const message = `${error.message} The development chain was stopped and is being rebuilt: ask for less.`;
      return failedOutcome({ code: -32005, message });
    }
  }

  const evm = createEvm({
    chainId,
    run: (request) => run(request),
    close() {
      isClosed = true;
      void host?.then(
        (opened) => opened.end(),
        () => {},
      );
    },
  });
  return { evm, built: first.built };
}

/** A change as text, which takes less memory than its objects, or how many empty blocks were mined. */
type Change = string | { blocks: number };

/** What has changed the chain, as far as it is remembered. However many empty blocks follow each other, they are one change. */
function createChanges() {
  let changes: Change[] | undefined = [];
  let length = 0;

  function addBlock(): void {
    const last = changes?.at(-1);
    if (typeof last === 'object') last.blocks += 1;
    else keep({ blocks: 1 }, 0);
  }

  function keep(change: Change, characters: number): void {
    length += characters;
    if (changes === undefined) return;
    if (changes.length < mostRemembered && length <= longestRemembered) changes.push(change);
    else changes = undefined;
  }

  return {
    add(request: RpcRequest): void {
      const text = JSON.stringify(request);
      if (isEmptyBlock(request)) addBlock();
      else keep(text, text.length);
    },
    all: (): readonly RpcRequest[] => (changes ?? []).map(repeat),
    forget(): void {
      changes = [];
      length = 0;
    },
  };
}

function isEmptyBlock({ method, params }: RpcRequest): boolean {
  return method === 'evm_mine' && Array.isArray(params) && params.length === 0;
}

function repeat(change: Change): RpcRequest {
  if (typeof change === 'string') return JSON.parse(change); // written by `add` alone
  return { method: 'hardhat_mine', params: [`0x${change.blocks.toString(16)}`] };
}

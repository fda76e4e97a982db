import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { createCalls } from '../../kernel/wait/calls.ts';
import { onAbort } from '../../kernel/wait/cancel.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { BuiltDevchain, buildDevchain } from '../build-devchain.ts';
import { DevchainError } from '../devchain-packages.ts';
import type { RpcRequest } from '../json-rpc/admit-request.ts';
import { devchainLimits } from '../limits.ts';

/** Beside this file, as source or compiled like it. */
const entry = new URL(`devchain-host${extname(import.meta.url)}`, import.meta.url);

const mostTime = devchainLimits.callTime.value;

/** Why the process of the chain is gone; what was under way fails with it. */
export class HostEnded extends Error {
  /** What took too much: the time or the memory of the call under way, or the chain itself; `nothing` if it ended by itself. */
  readonly by: 'call-time' | 'call-memory' | 'chain-memory' | 'nothing';

  constructor(message: string, by: HostEnded['by']) {
    super(message);
    this.by = by;
  }
}

/** A process with a chain that was just built. */
export type Host = {
  readonly built: BuiltFacts;
  /** The outcome of a request as JSON text. Rejects with `HostEnded` where the process ends before. */
  ask(request: RpcRequest): Promise<string>;
  /** Ends the process at once. */
  end(): void;
  /** Resolves once it is gone. */
  readonly ended: Promise<HostEnded>;
};

type OpenHostOptions = {
  readonly wanted: WantedChain;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Builds the chain in a process of its own, which is ended when a call takes more time or memory than it may
 * (F14). It keeps this process running only while a call is under way. Throws a `DevchainError` where the
 * packages are missing, and the signal's reason when it fires before the chain is built.
 */
export async function openHost({ wanted, clock, signal }: OpenHostOptions): Promise<Host> {
  signal?.throwIfAborted();
  const child = startProcess();
  const built = Promise.withResolvers<BuiltFacts>();
  const ended = Promise.withResolvers<HostEnded>();
  let endedBy = new HostEnded('The process of the development chain ended by itself.', 'nothing');

  const endBecause = (reason: HostEnded) => {
    endedBy = reason;
    child.kill('SIGKILL');
  };
  const calls = createCalls<string>({
    clock,
    onBusy: () => hold(child),
    onIdle: () => letGo(child),
    late: { after: mostTime, end: () => endBecause(tooMuchTime()) },
  });
  const hear = (message: HostMessage) => {
    switch (message.kind) {
      case 'built':
        return built.resolve(message.built);
      case 'unavailable':
        return built.reject(unavailable(message.reason));
      case 'failed':
        return built.reject(new Error(`The development chain was not built: ${message.reason}`));
      case 'outcome':
        return calls.answer(message.id, message.outcome);
      case 'full':
        return endBecause(tooMuchMemory(message.of));
    }
  };
  child.on('message', hear);
  child.send(wanted);
  child.once('error', (error) => built.reject(error));
  child.once('exit', () => {
    built.reject(endedBy);
    ended.resolve(endedBy);
    // Whoever waits for the end knows of it before the calls fail, and has another process for them.
    void ended.promise.then(() => calls.refuseAll(endedBy));
  });
  const stopHearing =
    signal &&
    onAbort(signal, () => {
      built.reject(signal.reason);
      child.kill('SIGKILL');
    });
  const facts = await built.promise
    .catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    })
    .finally(stopHearing);
  letGo(child);

  return {
    built: facts,
    ask: (request) =>
      calls.ask((id) => {
        const message: HostCall = { id, request };
        child.send(message, (error) => {
          if (error !== null) calls.refuse(id, endedBy);
        });
      }),
    end: () => void child.kill('SIGKILL'),
    ended: ended.promise,
  };
}

/** The process runs the code of others, so it gets no setting or secret of this one but the place of compiled code. */
function startProcess(): ChildProcess {
  const { NODE_COMPILE_CACHE: compiled } = process.env;
  return fork(entry, {
    serialization: 'advanced',
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Keeps this process running for as long as the child does. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function tooMuchTime(): HostEnded {
  return new HostEnded(`A call took more than ${mostTime / 1_000} s.`, 'call-time');
}

function tooMuchMemory(of: 'calls' | 'chain'): HostEnded {
  const { callMemory, chainMemory } = devchainLimits;
  const [what, { value }, by] =
    of === 'calls'
      ? (['A call took', callMemory, 'call-memory'] as const)
      : (['The chain holds', chainMemory, 'chain-memory'] as const);
  return new HostEnded(`${what} more than ${value / 2 ** 20} MiB of memory.`, by);
}

function unavailable(reason: string): DevchainError {
  return new DevchainError(
    'DEVCHAIN_UNAVAILABLE',
    `The development chain cannot load the packages it runs on: they are not installed, or not for this platform. Install them with "tradewind devchain install", or turn the chain off with TRADEWIND_DEVCHAIN=off.`,
    { cause: new Error(reason) },
  );
}

/** Throws as `openHost` does if the node itself is not installed, before any process is started. */
export function requirePackages(): void {
  try {
    import.meta.resolve('@nomicfoundation/edr');
  } catch (cause) {
    throw unavailable(cause instanceof Error ? cause.message : 'unknown');
  }
}

/** What is known of a chain that was built, without the node itself. */
export type BuiltFacts = Omit<BuiltDevchain, 'evm'>;

/** The first message to the process: which chain to build. */
export type WantedChain = Pick<
  Parameters<typeof buildDevchain>[0],
  'chainId' | 'deployments' | 'withOthers'
>;

/** One request to the process of the chain. */
export type HostCall = { readonly id: number; readonly request: RpcRequest };

/** The messages from the process of the chain. */
export type HostMessage =
  | { readonly kind: 'built'; readonly built: BuiltFacts }
  /** Its packages cannot be loaded. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'outcome'; readonly id: number; readonly outcome: string }
  /** It holds more memory than it may: of the calls under way, or of the chain itself. */
  | { readonly kind: 'full'; readonly of: 'calls' | 'chain' };

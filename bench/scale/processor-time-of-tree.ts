import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one tick in the kernel's count of processor time. */
const tick = 10;

/** Processor time in milliseconds of a process and all its descendants, running or ended. Linux only. */
export function processorTimeOfTree(root: number): number {
  const known = readProcesses();
  const timeOf = (pid: number): number => {
    const process = known.get(pid);
    if (process === undefined) return 0;
    const children = [...known].filter(([, { parent }]) => parent === pid);
    return process.ticks + children.reduce((sum, [child]) => sum + timeOf(child), 0);
  };
  return timeOf(root) * tick;
}

/** The id of a process whose command line satisfies `isMeant`. Throws if there is none. */
export function findProcess(isMeant: (command: readonly string[]) => boolean): number {
  const found = [...readProcesses().keys()].find((pid) => {
    try {
      return isMeant(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'));
    } catch {
      return false; // it has ended meanwhile
    }
  });
  if (found === undefined) throw new Error('The process to be measured does not run.');
  return found;
}

function readProcesses(): Map<number, { readonly parent: number; readonly ticks: number }> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        // User and system time, and those of children that have ended.
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
        return [[Number(pid), { parent: Number(fields[1]), ticks }] as const];
      } catch {
        return [];
      }
    }),
  );
}

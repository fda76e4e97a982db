import { readFileSync } from 'node:fs';

/** Processor time and memory of a process. */
export type ProcessReadings = {
  /** User and system time so far, which Linux counts in hundredths of a second. */
  readCpuMs(): number;
  readRssMb(): number;
};

/** Reads the kernel's counters of a process. Linux only. */
export function readingsOf(pid: number | undefined): ProcessReadings {
  return {
    readCpuMs() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
      return (Number(fields?.[11]) + Number(fields?.[12])) * 10;
    },
    readRssMb() {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6;
    },
  };
}

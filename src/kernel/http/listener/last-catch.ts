import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FaultyPart, ReportFault } from '../../lifecycle/report-faults.ts';

/** Runs what a connection asks for, and releases the connection if that fails. */
export type LastCatch = (
  part: FaultyPart,
  way: ServerResponse | Duplex,
  work: () => unknown,
) => void;

/**
 * The last catch around what runs for a connection (N15): an error that nothing handled is reported and answered with a bare
 * 500, or the connection is closed if an answer has begun or none is possible.
 */
export function createLastCatch(report: ReportFault = () => {}): LastCatch {
  return (part, way, work) => {
    const fail = (error: unknown) => {
      // First, so that a connection is released even where the log cannot be written.
      release(way);
      report(error, part);
    };
    try {
      const working = work();
      if (working instanceof Promise) working.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function release(way: ServerResponse | Duplex): void {
  if (!(way instanceof ServerResponse) || way.headersSent) return void way.destroy();
  way.writeHead(500, { Connection: 'close', 'Content-Length': '0' }).end();
}

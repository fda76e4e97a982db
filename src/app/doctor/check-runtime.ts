import type { Finding } from './finding.ts';

// The first release with an unflagged node:sqlite and type stripping without warnings.
const neededMajor = 24;

/** Whether the runtime is the one the product is made for. */
export function checkRuntime(version: string): Finding {
  const detail = `Node.js ${version} on ${process.platform} ${process.arch}`;
  if (Number(version.split('.')[0]) >= neededMajor) return { check: 'runtime', ok: true, detail };
  return {
    check: 'runtime',
    ok: false,
    detail,
    mend: `run through npm, which brings Node.js ${neededMajor} along, or install Node.js ${neededMajor} or newer`,
  };
}

import { spawnSync } from 'node:child_process';

const asks = 'import importlib.util as u, sys; sys.exit(u.find_spec("googleapiclient") is None)';

/** A Python that has Google's client: the first of the path, or that of the system. */
export function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (program) => spawnSync(program, ['-c', asks]).status === 0,
  );
}

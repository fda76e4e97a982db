import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Proves that the built package is whole: packs it, installs the tarball into an empty directory as a
// stranger would, opens its doors and starts its server. Needs npm's registry.
const directory = mkdtempSync(join(tmpdir(), 'tradewind-package-'));
const inDirectory = { cwd: directory };
try {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', directory]);
  const [{ filename, files, size }] = JSON.parse(packed.toString());
  console.log(`${filename}: ${files.length} files, ${Math.round(size / 1024)} KiB`);

  writeFileSync(join(directory, 'package.json'), '{"private": true, "type": "module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', filename], inDirectory);
  const doors = `const { createPkce } = await import('tradewind/client');
    const { createGuard } = await import('tradewind/guard');
    console.log(typeof createPkce, typeof createGuard);`;
  const opened = execFileSync('npx', ['node', '--input-type=module', '-e', doors], inDirectory);
  if (opened.toString().trim() !== 'function function') throw new Error(`doors: ${opened}`);

  const server = spawn('npx', ['tradewind', 'serve', '--json', '--port', '0'], {
    ...inDirectory,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(server.stdout, 'data');
    const { url, version } = JSON.parse(line);
    const { data } = (await (await fetch(`${url}/health`)).json()) as { data: { status: string } };
    console.log(`installed from the tarball, ${version} is ${data.status}`);
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
    await once(server, 'close');
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

import { runInProcess } from '../run-in-process.ts';

// Runs command lines one after another in this process, as whoever it belongs to, and prints a line of JSON for each.
const runs: readonly { dataDir: string; line: readonly string[] }[] = JSON.parse(
  process.argv[2] ?? '[]',
);
for (const { dataDir, line } of runs) {
  const environment = {
    HOME: dataDir,
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_DEVCHAIN: 'off',
    TRADEWIND_PORT: '0',
    TRADEWIND_KEYRING: 'off',
  };
  const { code, stdout, stderr } = await runInProcess(line, { environment });
  process.stdout.write(`${JSON.stringify({ code, text: `${stdout}${stderr}` })}\n`);
}
process.exit();

import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

// Loaded into a process before anything else (`--import`). The process then behaves as on a machine without
// internet, wherever the test runs: it resolves no name but that of the machine itself.
const { lookup } = dns;

function lookupAtHome(...args: Parameters<typeof lookup>): void {
  const [name] = args;
  if (name === 'localhost' || isIP(name)) {
    lookup(...args);
    return;
  }
  // The callback is the last argument, with or without options before it.
  const callback = args.at(-1) as unknown as (error: Error) => void;
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  process.nextTick(callback, error);
}

Object.assign(dns, { lookup: lookupAtHome });
syncBuiltinESMExports();

import ipaddr from 'ipaddr.js';

/** Whether a host, given as a name or an address (brackets allowed), is this machine and nothing else. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

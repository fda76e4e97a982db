import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The NATS server of this machine: on the path, or where Debian puts it. */
export function findNats(): string | undefined {
  const places = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')];
  return places.map((place) => join(place, 'nats-server')).find(existsSync);
}

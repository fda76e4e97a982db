import type { ServerFacts } from '../../app/start-server.ts';

/** What a newcomer reads once the server is ready: where it is, what it serves, what to try next. */
export function renderWelcome({ url, version, database, services, tryNext }: ServerFacts): string {
  return [
    '',
    `  Tradewind ${version} is ready on ${url}`,
    '',
    `  Services   ${services.length > 0 ? services.join(', ') : 'none'}`,
    `  Database   ${database}`,
    '',
    '  Try',
    ...tryNext.map((command) => `    ${command}`),
    '',
    '  Ctrl-C ends it.',
    '',
    '',
  ].join('\n');
}

import type { ServerFacts } from '../../app/start-server.ts';

/** What a newcomer reads once the server is ready: where it is, what it serves, how to sign in, what to try next. */
export function renderWelcome(facts: ServerFacts): string {
  const { url, version, database, services, tryNext } = facts;
  return [
    '',
    `  Tradewind ${version} is ready on ${url}`,
    '',
    `  Console    ${url}/`,
    `  Reference  ${url}/docs`,
    `  Services   ${services.join(', ')}`,
    `  Database   ${database}`,
    ...(services.includes('authorization') ? signIn(facts) : []),
    '',
    '  Try',
    ...tryNext.map((command) => `    ${command}`),
    '',
    '  Ctrl-C stops the server.',
    '',
    '',
  ].join('\n');
}

function signIn({ url, setUpLink }: ServerFacts): string[] {
  return [
    '',
    '  Sign in',
    ...(setUpLink === undefined
      ? ['    as owner, with the password you chose, on the page that a client opens']
      : [`    first choose the password of the owner: ${setUpLink}`]),
    `    npx tradewind login ${url}`,
  ];
}

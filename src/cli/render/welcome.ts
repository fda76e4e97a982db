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
    ...strangersGet(facts),
    '',
    '  Try',
    ...tryNext.map((command) => `    ${command}`),
    '',
    '  Ctrl-C stops the server.',
    '',
    '',
  ].join('\n');
}

/** What the settings give to whom nobody here knows, so that an operator sees it at each start (N22). */
function strangersGet({ strangers }: ServerFacts): string[] {
  if (strangers.length === 0) return [];
  const lines = strangers.map(({ of, get }) => `    ${of.padEnd(12)}  ${get}`);
  return ['', '  Strangers get', ...lines];
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

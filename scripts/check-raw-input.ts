import { globSync, readFileSync } from 'node:fs';
import { findRawInput } from './raw-input.ts';

/** The code that handles requests, from the socket to the use cases. */
const handling = [
  'src/kernel/{edge,text}/**/*.ts',
  'src/app/{describe-system,operator-mount}.ts',
  'src/swap/http/**/*.ts',
  'src/events/{http,publishing,model,monitor}/**/*.ts',
  'src/events/subscriptions/filter.ts',
  'src/events/*.ts',
  'src/authorization/*.ts',
  'src/authorization/{clients,grants,guard,http,keys,management,model,people,protocol,requests,store}/**/*.ts',
  'src/context/**/*.ts',
  'src/console/*.ts',
  'src/devchain/json-rpc/**/*.ts',
];

/** Files that may, and why none of it throws for what a caller wrote. */
const allowed: Readonly<Record<string, string>> = {
  'src/app/describe-system.ts': 'a time of our own clock or store',
  'src/app/operator-mount.ts': 'a time of our own clock or store',
  'src/authorization/guard/guard.ts': 'reads addresses of the configuration',
  'src/authorization/guard/judge-requests.ts': 'the address of a `Request` is always a URL',
  'src/authorization/guard/node-guard.ts':
    'a path after one slash, at a base of our own, is always a URL',
  'src/authorization/guard/challenge.ts': 'reads a resource of the configuration',
  'src/authorization/protocol/base-url.ts': 'reads an address of the configuration',
  'src/authorization/protocol/resource.ts': 'reads what parseUrl accepted, and our own origin',
  'src/authorization/requests/interactions.ts':
    'reads a redirect URI that was checked at registration',
  'src/authorization/clients/client-authentication.ts':
    'reads an address that was checked at registration',
  'src/authorization/clients/client-credentials.ts': 'catches, and refuses the credentials',
  'src/authorization/people/identity-provider/sessions.ts': 'opens only what it sealed',
  'src/authorization/people/identity-provider/sign-in.ts': 'opens only what it sealed',
  'src/authorization/people/identity-provider/identity-provider.ts':
    'addresses of the configuration, and those that the identity provider published, within a call that catches',
  'src/authorization/management/management-operation.ts': 'a time of our own clock or store',
  'src/authorization/management/page-request.ts': 'opens only what it sealed',
  'src/authorization/people/accounts/manage-people.ts': 'paths of our own',
  'src/authorization/people/accounts/prepare-owner.ts': 'paths of our own',
  'src/authorization/people/pages/account-page.ts': 'a time of our own clock or store',
  'src/authorization/people/pages/consent-page.ts':
    'reads resources and redirect URIs that were checked before they were stored',
  'src/authorization/store/client-store.ts': 'reads what it stored',
  'src/authorization/store/request-store.ts': 'reads what it stored',
  'src/authorization/store/revocation-store.ts': 'reads what it stored',
  'src/context/sessions/event-log.ts': 'reads what the log itself wrote',
  'src/context/sessions/answer-in-session.ts': 'reads an answer that we wrote',
  'src/devchain/json-rpc/admit-request.ts': 'catches, and reads declared limits',
  'src/events/http/create-events-mount.ts': 'the address of a `Request` is always a URL',
  'src/events/monitor/list-published.ts': 'reads what was stored',
  'src/events/model/application-options.ts': 'checks the text by a pattern before',
  'src/events/model/proto-fields.ts':
    'checks the text by a pattern and the time by its bounds before',
  'src/events/publishing/read-cloud-events.ts': 'catches, and keeps the text',
  'src/kernel/edge/edge-error.ts': 'a time of our own clock or store',
  'src/kernel/edge/listener/create-server.ts': 'writes the address as it was read',
  'src/kernel/edge/request.ts': 'the address of a `Request` is always a URL',
  'src/kernel/edge/open-api.ts': 'reads what it wrote, at the start',
  'src/kernel/edge/index-operations.ts': 'catches, and finds nothing',
  'src/kernel/text/json.ts': 'catches, and throws a JsonError',
  'src/kernel/text/url.ts': 'asks URL.canParse before',
  'src/swap/http/check-upstream-answer.ts':
    'digits, which the schema has checked by a pattern before',
  'src/swap/http/create-swap-mount.ts': 'a time of our own clock or store',
  'src/swap/http/create-swap-answers.ts': 'a time of our own clock or store',
  'src/swap/http/operations/parameter-schemas.ts': 'checks the text by a pattern before',
  'src/swap/http/to-quote-answer.ts': 'a time of our own clock or store',
  'src/swap/http/upstream-quotes.ts':
    'reads an address of the configuration, and a query that URLSearchParams wrote',
};

const files = globSync(handling).filter((file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file));
const unused = new Set(Object.keys(allowed));
let failures = 0;
for (const file of files) {
  for (const { line, what } of findRawInput(file, readFileSync(file, 'utf8'))) {
    unused.delete(file);
    if (file in allowed) continue;
    failures += 1;
    console.error(
      `${file}:${line} uses ${what}, which may throw for what a caller wrote.\n  Take the value that the listener read (request.address, addressOf), or a parser that returns undefined (parseUrl, parseJson); a file that parses goes on the list in scripts/check-raw-input.ts, with the reason why it cannot throw.`,
    );
  }
}
for (const file of unused) {
  failures += 1;
  console.error(`scripts/check-raw-input.ts lists ${file}, which parses nothing: take it off.`);
}
console.log(`raw input: ${files.length} files, ${failures} problems`);
process.exitCode = failures === 0 ? 0 : 1;

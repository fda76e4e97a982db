import {
  converse,
  plainSockets,
  type RawAnswer,
  readAnswers,
} from '../../tests/support/converse.ts';
import { openFastify } from './contestants/fastify.ts';
import { openPipeline } from './contestants/pipeline.ts';
import { openToday } from './contestants/today.ts';

/**
 * What the edge of today, one pipeline of our own and Fastify answer to the oddities of HTTP/1.1: the statuses of all answers on
 * one connection, and whether it was closed. Fastify has the server of our listener and no rule beyond the hooks of the benchmark,
 * so a difference shows what would be left to write.
 *
 * Run: node bench/edge/rules.ts
 */
const host = 'Host: localhost:8787\r\n';
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`;
const post = (more: string, body = '') => `POST /v1/orders HTTP/1.1\r\n${host}${more}\r\n${body}`;
const json = 'Content-Type: application/json\r\n';
const long = 'x'.repeat(300);

const asked: Readonly<Record<string, string>> = {
  HEAD: `HEAD /status HTTP/1.1\r\n${host}\r\n`,
  'HEAD of a stream': `HEAD /v1/stream HTTP/1.1\r\n${host}\r\n`,
  'another method': `DELETE /status HTTP/1.1\r\n${host}\r\n`,
  'a method that nobody serves': `PROPFIND /status HTTP/1.1\r\n${host}\r\n`,
  'OPTIONS of a path': `OPTIONS /status HTTP/1.1\r\n${host}\r\n`,
  'OPTIONS *': `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  'a preflight': `OPTIONS /status HTTP/1.1\r\n${host}Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n`,
  'an absolute target': get('http://localhost:8787/status'),
  'an absolute target of another host': get('http://evil.example/status'),
  'another host': 'GET /status HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'a path with a dot segment': get('/x/../status'),
  'a path with two slashes': get('//status'),
  'a path that ends in a slash': get('/status/'),
  'an escaped letter in a literal': get('/st%61tus'),
  'an escaped slash in a variable': get('/v1/swap/a%2Fb'),
  'an escape that is none': get('/v1/swap/%zz'),
  'a variable of 300 letters': get(`/v1/swap/${long}`),
  'a semicolon': get('/v1/swap/a;b=c?d=e'),
  'a null in a variable': get('/v1/swap/a%00b'),
  'GET with a body': get('/status', 'Content-Length: 2\r\n').concat('{}'),
  'POST without a type': post('Content-Length: 2\r\n', '{}'),
  'POST with a type that is none': post('Content-Type: json;;\r\nContent-Length: 2\r\n', '{}'),
  'POST without a body': post('Content-Length: 0\r\n'),
  'POST in chunks': post(`${json}Transfer-Encoding: chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n'),
  'POST in chunks, upper case': post(
    `${json}Transfer-Encoding: CHUNKED\r\n`,
    '2\r\n{}\r\n0\r\n\r\n',
  ),
  'POST, gzip in chunks': post(
    `${json}Transfer-Encoding: gzip, chunked\r\n`,
    '2\r\n{}\r\n0\r\n\r\n',
  ),
  'POST, identity': post(`${json}Transfer-Encoding: identity\r\n`, '{}'),
  'POST with a byte order mark': post(`${json}Content-Length: 5\r\n`, '\xef\xbb\xbf{}'),
  'a declared body above the limit': post(`${json}Content-Length: 100000\r\n`, '{'),
  'chunks above the limit': post(
    `${json}Transfer-Encoding: chunked\r\n`,
    `fffff\r\n${'x'.repeat(200_000)}`,
  ),
  'Expect: 100-continue': post(`${json}Expect: 100-continue\r\nContent-Length: 2\r\n`, '{}'),
  'Expect: 100-continue for an unknown path': `POST /nowhere HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
  'Expect: 100-continue, too much': post(
    `${json}Expect: 100-continue\r\nContent-Length: 100000\r\n`,
  ),
  'an unknown expectation': get('/status', 'Expect: a-miracle\r\n'),
  'two requests at once': get('/status').concat(get('/v1/swap/1?amount=1')),
  'garbage after a request': get('/status').concat('nonsense\r\n\r\n'),
  'garbage after a body': post(`${json}Content-Length: 2\r\n`, '{}').concat('nonsense\r\n\r\n'),
  'a request after a refused body': post(`${json}Content-Length: 100000\r\n`, '{').concat(
    get('/status'),
  ),
  'HTTP/1.0': 'GET /status HTTP/1.0\r\nHost: localhost\r\n\r\n',
  'an upgrade': get('/status', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
};

const ways = {
  today: await openToday(true),
  pipeline: await openPipeline('operations'),
  fastify: await openFastify({ ours: 'nothing' }),
};
/** Long enough for a busy machine, since no answer at all is an answer too. */
const patience = 1_500;
const atOnce = 8;

async function askAll(text: string): Promise<object> {
  const answers = Object.entries(ways).map(async ([way, port]) => {
    const received = await converse(plainSockets(port), { text }, patience);
    return [way, readAnswers(received).map(inShort).join(' ') || 'none'] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

const rows: Record<string, object> = {};
const waiting = Object.entries(asked).values();
async function askInTurn(): Promise<void> {
  for (const [what, text] of waiting) rows[what] = await askAll(text);
}
await Promise.all(Array.from({ length: atOnce }, askInTurn));
console.table(Object.fromEntries(Object.keys(asked).map((what) => [what, rows[what]])));
process.exit();

/** The status with what a caller notices: the methods that are allowed, and bodies where none should be. */
function inShort({ status, headers, body }: RawAnswer): string {
  const allow = headers.find((header) => header.startsWith('allow:'));
  return `${status}${allow === undefined ? '' : ` (${allow})`}${status === 0 ? ` "${body.slice(0, 20)}"` : ''}`;
}

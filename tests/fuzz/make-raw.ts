import { declaredServices } from '../../scripts/declared-services.ts';
import type { Dice } from '../support/dice.ts';
import { createRequestMaker } from './make-request.ts';
import { spoilText } from './spoil-value.ts';

/** What is written to a socket, as latin1 text, so that every byte can occur. */
export type RawConversation = {
  readonly text: string;
  /** Where the text is cut in two writes, if it is. */
  readonly cutAt: number | undefined;
  /** Whether the text ends before its last request does. */
  readonly isHalf: boolean;
};

type RawRequest = { method: string; target: string; headers: string[]; body: string };

/** Paths without a declared operation: pages, documents, forms and the protocols beside the operations. */
const otherPaths = [
  '/',
  '/health',
  '/metrics',
  '/openapi.json',
  '/jwks',
  '/token',
  '/revoke',
  '/introspect',
  '/register',
  '/authorize',
  '/par',
  '/device',
  '/account',
  '/account/sessions',
  '/sign-in',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp',
  '/rpc',
  '/console',
  '/console/',
  '/v1/system',
  '/$discovery/rest',
  '/v1/swap/31337',
  '/v1/price/31337',
  '/nowhere',
];

const hosts = [
  'localhost:65536',
  'localhost:99999999999999999999',
  'localhost:',
  'localhost:-1',
  'localhost:0',
  'LOCALHOST',
  'localhost.',
  'a b',
  '',
  ' ',
  '0x7f.1',
  '127.1',
  '2130706433',
  '1.2.3.256',
  'xn--',
  'xn--a',
  'xn--ls8h=',
  '[::1]',
  '[::1',
  '::1',
  '[::1]:65536',
  '[fe80::1%25eth0]',
  'user@localhost',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  'a%00b',
  'a%zz',
  '%',
  'a\tb',
  'é.example',
  '\xff\xfe',
  'a,b',
  '-',
  '.',
  '..',
  '*',
  'x'.repeat(300),
  'a.'.repeat(150),
  'evil.example',
];

const origins = [
  'null',
  '',
  'http://x',
  'http://localhost:65536',
  'a b',
  'http://[',
  'https://',
  'chrome-extension://abc',
  'http://a, http://b',
  'http://xn--',
  '\xff',
  '//',
];

const lengths = [
  '-1',
  '+5',
  '0x5',
  '5, 5',
  '5, 6',
  '',
  ' ',
  '5 5',
  '1e3',
  '9'.repeat(30),
  'NaN',
  '99999999999999',
];
const codings = [
  'chunked',
  'Chunked',
  'chunked, chunked',
  'gzip, chunked',
  'chunked, gzip',
  'gzip',
  'identity',
  'xchunked',
  'chunked;a=b',
  '',
  ',',
  '"chunked"',
];

const headerTexts: readonly ((dice: Dice) => string)[] = [
  (dice) => `Origin: ${dice.pick(origins)}`,
  (dice) => `Host: ${dice.pick(hosts)}`,
  (dice) =>
    `X-Forwarded-For: ${dice.pick(['1.2.3.4', 'unknown', '', ',,,', '[::1', '1.2.3.4:99999', '::ffff:1.2.3.4', 'a'.repeat(3_000)])}`,
  (dice) =>
    `Forwarded: ${dice.pick(['for=1.2.3.4', 'for="[::1', ';;=;', 'for=', 'for=_x;proto=http', '"'.repeat(500)])}`,
  (dice) => `X-Forwarded-Host: ${dice.pick(hosts)}`,
  (dice) => `X-Forwarded-Proto: ${dice.pick(['http', 'https', '', ',', '\xff'])}`,
  (dice) =>
    `Cookie: ${dice.pick(['a=b', '=', ';;;', 'session=%zz', 'session="', '__Host-session=\xff', 'a=b; '.repeat(500), '\x01'])}`,
  (dice) =>
    `Content-Type: ${dice.pick(['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'multipart/form-data; boundary=', ';;;', '\xff', 'application/json; charset=utf-7', 'application/cloudevents-batch+json'])}`,
  (dice) =>
    `Authorization: ${dice.pick(['Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic', 'Basic %%%', 'Basic Og==', 'Basic /////w==', 'DPoP x', '\xff', 'Bearer ', 'Bearer eyJhbGciOiJub25lIn0.e30.'])}`,
  (dice) => `DPoP: ${dice.pick(['', 'x', 'a.b.c', 'eyJ9.eyJ9.x', '\xff'])}`,
  (dice) =>
    `Accept: ${dice.pick(['*/*', 'text/html', 'text/event-stream', 'application/json', ';q=', '\xff', ','.repeat(900)])}`,
  (dice) => `Accept-Encoding: ${dice.pick(['gzip', 'gzip;q=0', '', '*', ';;q', '\xff'])}`,
  (dice) =>
    `Connection: ${dice.pick(['close', 'keep-alive', 'upgrade', 'Host', 'close, upgrade', '', ','])}`,
  (dice) =>
    `Connection: Upgrade\r\nUpgrade: ${dice.pick(['websocket', 'h2c', 'TLS/1.2', '', '\xff'])}`,
  () => 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  (dice) => `Expect: ${dice.pick(['100-continue', '200-ok', '', '\xff'])}`,
  (dice) => `TE: ${dice.pick(['trailers', 'gzip', ''])}`,
  (dice) => `Trailer: ${dice.pick(['X-T', 'Content-Length', ''])}`,
  (dice) => `X-Request-Id: ${dice.pick(['ok-1', 'a b', '\xff', '', 'x'.repeat(500)])}`,
  (dice) =>
    `traceparent: ${dice.pick(['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '', '00--', '\xff', 'ff-x'])}`,
  (dice) => `Sec-Fetch-Site: ${dice.pick(['cross-site', 'none', 'same-origin', '\xff'])}`,
  (dice) => `Access-Control-Request-Method: ${dice.pick(['POST', '', '\xff', 'a b'])}`,
  (dice) => `Access-Control-Request-Headers: ${dice.pick(['x', '', '\xff', ','.repeat(900)])}`,
  (dice) =>
    `Ctx-Protocol-Version: ${dice.pick(['2025-03-26', '2025-06-18', 'x', '', '\xff', '9999-99-99'])}`,
  (dice) => `Mcp-Session-Id: ${dice.pick(['x', '', '\xff', 'a'.repeat(5_000)])}`,
  (dice) =>
    `Last-Event-ID: ${dice.pick(['1', '', '\xff', '-1', '9'.repeat(40), '%zz', '%E0%A4%A'])}`,
  (dice) => `If-None-Match: ${dice.pick(['*', '"x"', '', '\xff'])}`,
  (dice) =>
    `X-HTTP-Method-Override: ${dice.pick(['GET', 'DELETE', 'CONNECT', 'TRACE', 'a b', '\xff', ''])}`,
  (dice) =>
    `ce-${dice.pick(['id', 'time', 'type', 'source', 'subject', 'specversion', '\xff'])}: ${dice.pick(['1.0', '%zz', '%E0%A4%A', '\xff', '', '2030-99-99T00:00:00Z'])}`,
  (dice) => `Range: ${dice.pick(['bytes=0-1', 'bytes=-', '\xff'])}`,
  () => 'Via: 1.1 tradewind',
  () => 'X-Folded: a\r\n b',
  () => 'X-Nul: a\0b',
  () => 'X-Bare: a\nb',
  () => 'X-Return: a\rb',
  () => 'No-Colon',
  () => 'Space : a',
  () => ': empty',
  () => ' Leading: a',
  () => 'X-\xff: a',
  () => '__proto__: x',
  () => 'constructor: x',
  () => `X-Long: ${'x'.repeat(17_000)}`,
  () => Array.from({ length: 300 }, (_, index) => `X-${index}: a`).join('\r\n'),
  (dice) => `X-Random: ${toLatin(spoilText(dice))}`,
];

const methods = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'QUERY',
  'CONNECT',
  'PRI',
  'BREW',
  'get',
  'M-SEARCH',
  '',
];
const versions = [
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'http/1.1',
  'HTTP/1.1 ',
  '',
  'ICY/1.1',
];

/** Beginnings that are no request. */
const strangers = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  '\r\n\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  'QUIT\r\n',
  '\0'.repeat(50),
  '<policy-file-request/>\0',
];

export type RawOptions = {
  /** The host that the server answers for. */
  readonly host: string;
  /** A text in `Authorization` by which some requests get further. */
  readonly authorization?: string;
  /** Keeps to whole requests, one of them, whose answer can be compared. */
  readonly isWhole?: boolean;
  /** Paths to ask for, beside all declared ones. */
  readonly paths?: readonly string[];
};

/** Makes what is written to a socket: the same for the same dice. Most of it is almost a request. */
export function createRawMaker({ host, authorization, isWhole = false, paths }: RawOptions) {
  const make = createRequestMaker(declaredServices, 1);

  function base(dice: Dice): RawRequest {
    if (paths !== undefined || dice.fraction() < 0.4) {
      const target = dice.pick(paths ?? otherPaths);
      const method = dice.pick(['GET', 'POST']);
      const body =
        method === 'GET'
          ? ''
          : dice.pick(['', 'a=b', '{}', 'grant_type=client_credentials', '[', '\xff\xfe']);
      return { method, target, headers: [], body };
    }
    const { method, path, headers, body = '', credential } = make(dice);
    const lines = Object.entries(headers).map(
      ([name, value]) => `${name}: ${toLatin(String(value)).replaceAll(/[\0\r\n]/g, '?')}`,
    );
    if (credential !== undefined && authorization !== undefined)
      lines.push(`Authorization: ${authorization}`);
    return {
      method,
      target: toLatin(path).replaceAll(/[\0\r\n ]/g, '_'),
      headers: lines,
      body: Buffer.from(body).toString('latin1'),
    };
  }

  function spoilTarget(target: string, dice: Dice): string {
    const at = Math.floor(dice.fraction() * target.length);
    return dice.pick<() => string>([
      () => `http://${host}${target}`,
      () => `https://${dice.pick(hosts)}${target}`,
      () => `http://${dice.pick(hosts)}${target}`,
      () => `http:${target}`,
      () => dice.pick(hosts),
      () => '*',
      () => '',
      () => `/${target}`,
      () => `/.${target}`,
      () => `/x/..${target}`,
      () => `${target}/`,
      () => `${target}?`,
      () => `${target}?${'a=b&'.repeat(300)}`,
      () => `${target}?a=%zz&%=1&=&a[]=1&__proto__=1&a=%E0%A4%A`,
      () => `${target}#x`,
      () => `${target}\\x`,
      () => `${target.slice(0, at)}%${target.charCodeAt(at).toString(16)}${target.slice(at + 1)}`,
      () =>
        `${target.slice(0, at)}${dice.pick(['%', '%00', '%zz', '%ff', '%2f', '%25', '\xff', '\0', '\t', ' ', '"', '{', '|', '^', '`'])}${target.slice(at)}`,
      () => `/${toLatin(spoilText(dice)).replaceAll(/[\r\n]/g, '')}`,
      () => `${target}/${'x'.repeat(15_000)}`,
    ])();
  }

  function frame(body: string, dice: Dice): { headers: string[]; body: string } {
    const exact = { headers: [`Content-Length: ${body.length}`], body };
    return dice.pick<() => { headers: string[]; body: string }>([
      () => exact,
      () => exact,
      () => exact,
      () => ({ headers: [], body: '' }),
      () => ({ headers: [], body: dice.pick(['', 'x', body]) }),
      () => ({ headers: ['Transfer-Encoding: chunked'], body: inChunks(body, dice) }),
      () => ({ headers: ['Transfer-Encoding: chunked'], body: inChunks(body, dice) }),
      () => ({ headers: [`Transfer-Encoding: ${dice.pick(codings)}`], body: inChunks(body, dice) }),
      () => ({
        headers: [`Transfer-Encoding: ${dice.pick(codings)}`, ...exact.headers],
        body: inChunks(body, dice),
      }),
      () => ({ headers: [`Content-Length: ${dice.pick(lengths)}`], body }),
      () => ({ headers: [...exact.headers, `Content-Length: ${dice.pick(lengths)}`], body }),
      () => ({ headers: [...exact.headers, ...exact.headers], body }),
      () => ({ headers: exact.headers, body: `${body}xyz` }),
      () => (isWhole ? exact : { headers: [`Content-Length: ${body.length + 7}`], body }),
    ])();
  }

  function one(dice: Dice): string {
    const request = base(dice);
    const spoils = (chance: number) => dice.fraction() < chance;
    const method = spoils(0.08) ? dice.pick(methods) : request.method;
    const target = spoils(0.2) ? spoilTarget(request.target, dice) : request.target;
    const version = spoils(0.03) ? dice.pick(versions) : 'HTTP/1.1';
    const isOddHost = spoils(0.2);
    const hostLines = isOddHost ? oddHost(dice) : [`Host: ${host}`];
    // Together they reach what compares them.
    const originLines = isOddHost && spoils(0.5) ? [`Origin: ${dice.pick(origins)}`] : [];
    const framed =
      method === 'GET' && !spoils(0.15) ? { headers: [], body: '' } : frame(request.body, dice);
    const more = Array.from({ length: Math.floor(dice.fraction() ** 2 * 5) }, () =>
      dice.pick(headerTexts)(dice),
    );
    const lines = [...hostLines, ...originLines, ...request.headers, ...framed.headers, ...more];
    if (spoils(0.1)) lines.reverse();
    const end = spoils(0.02) ? '\n' : '\r\n';
    return `${[`${method} ${target}${version === '' ? '' : ` ${version}`}`, ...lines, '', ''].join(end)}${framed.body}`;
  }

  function oddHost(dice: Dice): string[] {
    const odd = `Host: ${dice.pick(hosts)}`;
    return dice.pick([
      [],
      [odd],
      [odd],
      [odd],
      [`Host: ${host}`, `Host: ${host}`],
      [`hOST:${host}`],
    ]);
  }

  return (dice: Dice): RawConversation => {
    if (isWhole) return { text: one(dice), cutAt: undefined, isHalf: false };
    if (dice.fraction() < 0.03) {
      return {
        text: `${dice.pick(strangers)}${dice.fraction() < 0.5 ? one(dice) : ''}`,
        cutAt: undefined,
        isHalf: true,
      };
    }
    const count = dice.fraction() < 0.2 ? Math.ceil(dice.fraction() * 4) : 1;
    let text = Array.from({ length: count }, () => one(dice)).join('');
    const isHalf = dice.fraction() < 0.08;
    if (isHalf) text = text.slice(0, Math.floor(dice.fraction() * text.length));
    if (dice.fraction() < 0.04) text = flipByte(text, dice);
    const cutAt = dice.fraction() < 0.15 ? Math.floor(dice.fraction() * text.length) : undefined;
    return { text, cutAt, isHalf };
  };
}

function inChunks(body: string, dice: Dice): string {
  const at = Math.floor(dice.fraction() * body.length);
  const extension =
    dice.fraction() < 0.2 ? dice.pick([';a=b', ';"', ';a="\\"', ' ', `;${'x'.repeat(2_000)}`]) : '';
  const chunks = [body.slice(0, at), body.slice(at)].filter((chunk) => chunk !== '');
  const last =
    dice.fraction() < 0.15
      ? dice.pick([
          '0\r\nX-T: a\r\n\r\n',
          '00\r\n\r\n',
          '-1\r\n\r\n',
          'zz\r\n\r\n',
          `${'f'.repeat(20)}\r\n`,
          '0\r\nContent-Length: 5\r\n\r\n',
          '0\n\n',
        ])
      : '0\r\n\r\n';
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`).join('')}${last}`;
}

function flipByte(text: string, dice: Dice): string {
  const at = Math.floor(dice.fraction() * text.length);
  return `${text.slice(0, at)}${String.fromCharCode(Math.floor(dice.fraction() * 256))}${text.slice(at + 1)}`;
}

/** Each character as one byte. */
function toLatin(text: string): string {
  return text.replaceAll(/[^\0-\xff]/gu, '?');
}

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { createOutboundHttp } from '../../src/kernel/outbound/outbound-http.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';

type Options = Partial<Parameters<typeof createOutboundHttp>[0]>;

const pem = (name: string) =>
  readFileSync(join(import.meta.dirname, '../support/certificates', `${name}.pem`), 'utf8');

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function client(options: Options = {}) {
  const outbound = createOutboundHttp({ allowNetworks: [], clock: systemClock, ...options });
  closers.push(() => outbound.close());
  return outbound;
}

const loopback = parseNetworks(['loopback']);

async function serve(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener);
  return { port: await listen(server), server };
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has this form of address.
  return (server.address() as AddressInfo).port;
}

let canary: { port: number; hits: string[] };
beforeEach(async () => {
  const hits: string[] = [];
  const { port } = await serve((request, response) => {
    hits.push(request.url ?? '');
    response.end('secret of the inner network');
  });
  canary = { port, hits };
});

/** Every way we know to write an address that must not be called; `PORT` is where the canary listens. */
const hostileAddresses = [
  // Loopback and its spellings.
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http://127.0.0.2:PORT/',
  'http://127.255.255.254:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0x7F.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0x0.0.1:PORT/',
  'http://00000177.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.0.0.1%2e:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127.0.0.1\t:PORT/',
  'http:\\\\127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  '  http://127.0.0.1:PORT/',
  'HTTP://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://lo%63alhost:PORT/',
  'http://loc\u00adalhost:PORT/',
  'http://anything.localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/',
  'http://[::0001]:PORT/',
  // The unspecified address reaches this machine on many systems.
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://0x0:PORT/',
  'http://0.1.2.3:PORT/',
  'http://[::]:PORT/',
  // IPv4 inside IPv6.
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::FFFF:7F00:0001]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:470:1f0b:1::5efe:10.0.0.1]/',
  'http://[2001:470:1f0b:1:200:5efe:10.0.0.1]/',
  // Private networks.
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://012.0.0.1/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://192.168.257/',
  'http://0xc0a80101/',
  'http://100.64.0.1/',
  'http://100.127.255.254/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fec0::1]/',
  // Link-local, where cloud machines keep their credentials.
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.170.2/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  // Multicast, broadcast, reserved, documentation, benchmarking.
  'http://224.0.0.1/',
  'http://239.255.255.250:1900/',
  'http://255.255.255.255/',
  'http://240.0.0.1/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://192.88.99.1/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://[2001:2::1]/',
  'http://[2001:10::1]/',
  'http://[2001:20::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[4000::1]/',
  'http://[::2]/',
];

test('the table of hostile addresses has at least 60 entries without duplicates', () => {
  expect(new Set(hostileAddresses).size).toBe(hostileAddresses.length);
  expect(hostileAddresses.length).toBeGreaterThanOrEqual(60);
});

test.each(hostileAddresses)('refuses %j [H42, H43]', async (url) => {
  const request = client().request({
    method: 'GET',
    url: url.replace('PORT', String(canary.port)),
  });
  await expect(request).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  expect(canary.hits).toEqual([]);
});

test.each([
  ['a cloud metadata address', ['169.254.169.254']],
  ['a loopback address', ['127.0.0.1']],
  ['a loopback address of IPv6', ['::1']],
  ['a mapped loopback address', ['::ffff:127.0.0.1']],
  ['the unspecified address', ['0.0.0.0']],
  ['a private address after a public one', ['93.184.216.34', '10.0.0.1']],
  ['a private address before a public one', ['192.168.0.1', '93.184.216.34']],
  ['a unique local address beside a public one', ['2606:4700:4700::1111', 'fd00::1']],
  ['a link-local address with a zone', ['fe80::1%eth0']],
  ['a public address with a zone', ['2606:4700:4700::1111%lo']],
  ['a NAT64 address', ['64:ff9b::a00:1']],
  ['an octal spelling', ['0177.0.0.1']],
  ['a decimal spelling', ['2130706433']],
  ['another name', ['localhost']],
  ['nothing readable', ['']],
])('refuses a name that leads to %s [H42, H43]', async (_what, addresses) => {
  const outbound = client({ resolve: async () => addresses });
  const url = `http://innocent.example:${canary.port}/`;
  await expect(outbound.request({ method: 'GET', url })).rejects.toMatchObject({
    code: 'NAME_NOT_FOUND',
  });
  expect(canary.hits).toEqual([]);
});

test.each([
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
  'ws://127.0.0.1/',
  '//127.0.0.1/',
  '/relative',
  'http://',
  'http://[fe80::1%25eth0]/',
  'http://[::1',
  'http://256.256.256.256/',
  'http://0x100000000/',
  'http://1.2.3.4.5/',
  'http://user@93.184.216.34/',
  'http://user:secret@93.184.216.34/',
  'http://93.184.216.34:80@127.0.0.1/',
  'http://127.0.0.1 .example/',
  'http://exa mple/',
  'http://127.0.0.1:99999/',
  '',
])('refuses %j as no address to call [H47]', async (url) => {
  const request = client({ allowNetworks: loopback }).request({ method: 'GET', url });
  await expect(request).rejects.toMatchObject({ code: 'INVALID_URL' });
});

test('ignores the proxy of the environment [H47]', async () => {
  const good = await serve((_request, response) => response.end('good'));
  const url = (path: string) => new URL(path, import.meta.url).href;
  const script = `
    const { createOutboundHttp } = await import('${url('../../src/kernel/outbound/outbound-http.ts')}');
    const { systemClock } = await import('${url('../../src/kernel/wait/clock.ts')}');
    const { parseNetworks } = await import('${url('../../src/kernel/model/network.ts')}');
    const allowNetworks = parseNetworks(['loopback']);
    const outbound = createOutboundHttp({ allowNetworks, clock: systemClock });
    const { body } = await outbound.request({ method: 'GET', url: 'http://127.0.0.1:${good.port}/' });
    console.log(String(body));
    await outbound.close();`;
  const proxy = `http://127.0.0.1:${canary.port}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy } },
  );
  expect(stdout).toBe('good\n');
  expect(canary.hits).toEqual([]);
});

test('a name that changes between check and use is called at the address that was checked [H44]', async () => {
  const good = await serve((_request, response) => response.end('good'));
  const answers = [['127.0.0.1'], ['169.254.169.254'], ['::1']];
  const asked: string[] = [];
  const outbound = client({
    allowNetworks: parseNetworks(['127.0.0.1/32']),
    resolve: async (hostname) => {
      asked.push(hostname);
      return answers.shift() ?? [];
    },
  });
  const url = `http://rebinding.example:${good.port}/`;
  const { body } = await outbound.request({ method: 'GET', url });
  expect(String(body)).toBe('good');
  expect(asked).toEqual(['rebinding.example']);
  good.server.closeAllConnections();
  await expect(outbound.request({ method: 'GET', url })).rejects.toMatchObject({
    code: 'NAME_NOT_FOUND',
  });
});

test('a second connection is checked like the first [H44]', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  const release = Promise.withResolvers<void>();
  const { port } = await serve(async (_request, response) => {
    await release.promise;
    response.end('good');
  });
  const outbound = client({
    allowNetworks: parseNetworks(['127.0.0.1/32']),
    resolve: async () => answers.shift() ?? [],
  });
  const url = `http://rebinding.example:${port}/`;
  const first = outbound.request({ method: 'GET', url });
  const second = outbound.request({ method: 'GET', url });
  await expect(second).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' });
  release.resolve();
  expect((await first).status).toBe(200);
});

test.each([
  [301, 'http://169.254.169.254/latest/meta-data/'],
  [302, 'http://127.0.0.1:PORT/admin'],
  [303, 'http://[::1]:PORT/admin'],
  [307, '//127.0.0.1:PORT/admin'],
  [308, '/elsewhere'],
  [300, 'http://localhost:PORT/admin'],
  [201, 'http://localhost:PORT/admin'],
])('a %i to %s is answered as it is and followed by nothing [H45]', async (status, location) => {
  const asked: string[] = [];
  const { port } = await serve((request, response) => {
    asked.push(request.url ?? '');
    const target = location.replace('PORT', String(canary.port));
    response.writeHead(status, { Location: target, Refresh: `0; url=${target}` }).end();
  });
  const outbound = client({ allowNetworks: loopback });
  const response = await outbound.request({
    method: 'POST',
    url: `http://127.0.0.1:${port}/hook`,
    body: '{}',
  });
  expect(response.status).toBe(status);
  expect(asked).toEqual(['/hook']);
  expect(canary.hits).toEqual([]);
});

test.each(['127.0.0.1', 'localhost', '2130706433', 'deep.localhost'])(
  'reaches %s where loopback is allowed [H48]',
  async (host) => {
    const outbound = client({ allowNetworks: loopback });
    const { status, body } = await outbound.request({
      method: 'GET',
      url: `http://${host}:${canary.port}/path?query=1`,
    });
    expect(status).toBe(200);
    expect(String(body)).toBe('secret of the inner network');
    expect(canary.hits).toEqual(['/path?query=1']);
  },
);

test('sends the method, headers and body it is given, and gives back status, headers and bytes [H44]', async () => {
  const { port } = await serve(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { method, headers } = request;
    response.writeHead(202, { 'X-Reply': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
    response.end(
      JSON.stringify({
        method,
        host: headers.host,
        kind: headers['x-kind'],
        body: body.toString('hex'),
      }),
    );
  });
  const outbound = client({ allowNetworks: loopback, resolve: async () => ['127.0.0.1'] });
  const response = await outbound.request({
    method: 'POST',
    url: `http://webhook.test:${port}/hook`,
    headers: { 'X-Kind': 'event' },
    body: new Uint8Array([0, 255, 16]),
  });
  expect(response.status).toBe(202);
  expect(response.headers['x-reply']).toBe('yes');
  expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(JSON.parse(String(response.body))).toEqual({
    method: 'POST',
    host: `webhook.test:${port}`,
    kind: 'event',
    body: '00ff10',
  });
});

async function serveTls(name: string): Promise<number> {
  const options = { cert: pem(name), key: pem(`${name}-key`) };
  return listen(createTlsServer(options, (_request, response) => response.end('over TLS')));
}

const trusting = { certificateAuthorities: pem('authority'), resolve: async () => ['127.0.0.1'] };

test.each(['webhook.test', 'localhost', '127.0.0.1'])(
  'reaches %s over verified TLS [H44]',
  async (host) => {
    const port = await serveTls('localhost');
    const outbound = client({ allowNetworks: loopback, ...trusting });
    const { body } = await outbound.request({ method: 'GET', url: `https://${host}:${port}/` });
    expect(String(body)).toBe('over TLS');
  },
);

test.each([
  ['of another name', 'elsewhere', pem('authority')],
  ['that has expired', 'expired', pem('authority')],
  ['of an unknown authority', 'localhost', undefined],
  ['of another authority', 'localhost', pem('elsewhere')],
])('refuses a certificate %s', async (_what, name, certificateAuthorities) => {
  const port = await serveTls(name);
  const outbound = client({
    allowNetworks: loopback,
    resolve: trusting.resolve,
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  });
  const request = outbound.request({ method: 'GET', url: `https://webhook.test:${port}/` });
  await expect(request).rejects.toMatchObject({ code: 'TLS_FAILED' });
});

test('a resumed TLS session does not vouch for another name', async () => {
  const port = await serveTls('localhost');
  const outbound = client({ allowNetworks: loopback, ...trusting });
  await outbound.request({ method: 'GET', url: `https://webhook.test:${port}/` });
  const other = outbound.request({ method: 'GET', url: `https://other.test:${port}/` });
  await expect(other).rejects.toMatchObject({ code: 'TLS_FAILED' });
});

test('HTTPS to a server that speaks plain HTTP fails as TLS', async () => {
  const outbound = client({ allowNetworks: loopback, ...trusting });
  const toPlain = outbound.request({ method: 'GET', url: `https://127.0.0.1:${canary.port}/` });
  await expect(toPlain).rejects.toMatchObject({ code: 'TLS_FAILED' });
  expect(canary.hits).toEqual([]);
});

async function serveRaw(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

test.each([
  ['a declared length', 'Content-Length: 1001\r\n\r\n'],
  ['an undeclared length', `Transfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1001)}\r\n`],
  ['no framing at all', `\r\n${'x'.repeat(1001)}`],
])('stops reading a body above its cap, of %s [H46]', async (_what, rest) => {
  const port = await serveRaw((socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${rest}`));
  });
  const outbound = client({ allowNetworks: loopback, limits: { maxResponseBytes: 1000 } });
  const request = outbound.request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
  await expect(request).rejects.toMatchObject({
    code: 'RESPONSE_TOO_LARGE',
    details: { maxResponseBytes: 1000 },
  });
});

test('reads a body of exactly its cap, and the cap of one request may differ [H46]', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Length': 1000 }).end('x'.repeat(1000));
  });
  const outbound = client({ allowNetworks: loopback, limits: { maxResponseBytes: 10 } });
  const url = `http://127.0.0.1:${port}/`;
  const { body } = await outbound.request({ method: 'GET', url, maxResponseBytes: 1000 });
  expect(body.length).toBe(1000);
  expect((await outbound.request({ method: 'HEAD', url })).status).toBe(200);
  await expect(outbound.request({ method: 'GET', url })).rejects.toMatchObject({
    code: 'RESPONSE_TOO_LARGE',
  });
});

test('a compressed body is returned without decompression [H46]', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(Buffer.from('1f8b', 'hex'));
  });
  const outbound = client({ allowNetworks: loopback });
  const { body } = await outbound.request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
  expect(Buffer.from(body).toString('hex')).toBe('1f8b');
});

test('refuses headers above 16 KiB [H46]', async () => {
  const port = await serveRaw((socket) => {
    socket.once('data', () =>
      socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`),
    );
  });
  const outbound = client({ allowNetworks: loopback });
  const request = outbound.request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
  await expect(request).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
});

/** A clock whose sleeps end when the test says so. */
function handClock(): Clock & { ring: () => void } {
  const alarm = Promise.withResolvers<void>();
  return {
    now: () => 0,
    elapsed: () => 0,
    sleep: () => alarm.promise,
    turn: systemClock.turn,
    ring: () => alarm.resolve(),
  };
}

test.each([
  ['says nothing', ''],
  ['stops in its headers', 'HTTP/1.1 200 OK\r\nX-Slow:'],
  ['stops in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx'],
  ['keeps announcing an answer', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
])('gives up on a server that %s, and hangs up on it [H46]', async (_what, answer) => {
  const arrived = Promise.withResolvers<Socket>();
  const port = await serveRaw((socket) => {
    socket.once('data', () => {
      socket.write(answer);
      arrived.resolve(socket);
    });
  });
  const clock = handClock();
  const outbound = client({ allowNetworks: loopback, clock });
  const request = outbound.request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
  const socket = await arrived.promise;
  const hungUp = new Promise((resolve) => socket.once('close', resolve));
  clock.ring();
  await expect(request).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringContaining('within 10000 ms'),
  });
  socket.resume();
  await hungUp;
});

test('gives up on a name service that does not answer [H46]', async () => {
  const clock = handClock();
  const outbound = createOutboundHttp({
    allowNetworks: [],
    clock,
    resolve: () => new Promise(() => {}),
    limits: { connectTimeoutMs: 50 },
  });
  closers.push(() => outbound.close());
  const request = outbound.request({ method: 'GET', url: 'http://slow.example/' });
  clock.ring();
  await expect(request).rejects.toMatchObject({ code: 'TIMED_OUT' });
});

test('a signal ends a request with its own reason, before it starts and while it runs', async () => {
  const arrived = Promise.withResolvers<void>();
  const { port } = await serve(() => arrived.resolve());
  const outbound = client({ allowNetworks: loopback });
  const url = `http://127.0.0.1:${port}/`;
  const early = AbortSignal.abort(new Error('never mind'));
  await expect(outbound.request({ method: 'GET', url, signal: early })).rejects.toThrow(
    'never mind',
  );
  const controller = new AbortController();
  const request = outbound.request({ method: 'GET', url, signal: controller.signal });
  await arrived.promise;
  // A reason need not be an error.
  controller.abort('shutting down');
  await expect(request).rejects.toBe('shutting down');
});

test('tells apart the ways in which a server does not answer', async () => {
  const outbound = client({ allowNetworks: loopback, resolve: async () => [] });
  const get = (url: string) => outbound.request({ method: 'GET', url });
  await expect(get('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
  await expect(get('http://nobody.example/')).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' });
  const hangsUp = await serveRaw((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')),
  );
  await expect(get(`http://127.0.0.1:${hangsUp}/`)).rejects.toMatchObject({
    code: 'CONNECTION_LOST',
  });
});

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH\r\n'],
  ['another version', 'HTTP/2 200 OK\r\n\r\n'],
  ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
])(
  'refuses an answer that is %s, and calls the server again another time',
  async (_what, answer) => {
    const answers = [answer, 'HTTP/1.1 204 No Content\r\n\r\n'];
    const port = await serveRaw((socket) =>
      socket.once('data', () => socket.end(answers.shift()!)),
    );
    const outbound = client({ allowNetworks: loopback, limits: { connectionsPerOrigin: 1 } });
    const get = () => outbound.request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
    await expect(get()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
    expect((await get()).status).toBe(204);
  },
);

test('the operator is told what kind of address was not called, and by which name [F59]', async () => {
  const told: object[] = [];
  const logger = { warn: (facts: object) => told.push(facts) };
  const resolve = async (name: string) => (name === 'inside.example' ? ['10.0.0.1'] : []);
  const outbound = client({ resolve, logger });
  for (const host of ['inside.example', 'nobody.example', '127.0.0.1']) {
    await outbound.request({ method: 'GET', url: `http://${host}/s3cret` }).catch(() => {});
  }
  expect(told).toEqual([
    { host: 'inside.example', kind: 'private' },
    { host: 'nobody.example', kind: 'unresolved' },
    { host: '127.0.0.1', kind: 'loopback' },
  ]);
});

test('no message repeats the path, the query or credentials of the URL [H49]', async () => {
  const outbound = client({ resolve: async () => ['10.0.0.1'] });
  for (const url of [
    'https://user:s3cret@hooks.example/',
    'https://hooks.example/services/s3cret?token=s3cret',
    'http://10.0.0.1/s3cret?s3cret',
    'ftp://hooks.example/s3cret',
  ]) {
    const error = await outbound.request({ method: 'POST', url }).catch((reason) => reason);
    expect(error.code).toMatch(/^(?:ADDRESS_REFUSED|NAME_NOT_FOUND|INVALID_URL)$/);
    expect(JSON.stringify([error.message, error.details])).not.toContain('s3cret');
  }
});

test('requests above the number of connections to an origin wait for one [H46]', async () => {
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const { port } = await serve((_request, response) => {
    running += 1;
    most = Math.max(most, running);
    waiting.push(() => {
      running -= 1;
      response.end('done');
    });
    if (waiting.length === 2) for (const finish of waiting.splice(0)) finish();
  });
  const outbound = client({ allowNetworks: loopback, limits: { connectionsPerOrigin: 2 } });
  const url = `http://127.0.0.1:${port}/`;
  const requests = Array.from({ length: 8 }, () =>
    outbound.request({ method: 'POST', url, body: '{}' }),
  );
  for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
  expect(most).toBe(2);
});

test('one connection carries one request after another', async () => {
  let connections = 0;
  const { port, server } = await serve((_request, response) => response.end('done'));
  server.on('connection', () => {
    connections += 1;
  });
  const outbound = client({ allowNetworks: loopback, limits: { connectionsPerOrigin: 1 } });
  for (let count = 0; count < 5; count += 1) {
    await outbound.request({ method: 'POST', url: `http://127.0.0.1:${port}/`, body: '{}' });
  }
  expect(connections).toBe(1);
});

test('repeatable requests are pipelined before earlier responses arrive', async () => {
  let received = '';
  const port = await serveRaw((socket) => {
    socket.on('data', (chunk) => {
      received += chunk;
      const requests = received.match(/POST \/\d/g) ?? [];
      // The server answers only once it has all three requests, which without pipelining it never would.
      if (requests.length === 3) {
        for (const request of requests) {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${request.length}\r\n\r\n${request}`);
        }
      }
    });
  });
  const outbound = client({
    allowNetworks: loopback,
    limits: { connectionsPerOrigin: 1, pipelining: 3 },
  });
  const answers = await Promise.all(
    [1, 2, 3].map((number) =>
      outbound.request({
        method: 'POST',
        url: `http://127.0.0.1:${port}/${number}`,
        body: '{}',
        idempotent: true,
      }),
    ),
  );
  expect(answers.map(({ body }) => String(body))).toEqual(['POST /1', 'POST /2', 'POST /3']);
});

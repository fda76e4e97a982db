/**
 * The least that an answer can cost on Node.js: its HTTP server and, for a token, parsing a form and one ES256 signature.
 * This server checks nothing, knows no client and writes no log.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const claims = Buffer.from('c'.repeat(500)).toString('base64url');
const settings = { optimizeEmptyRequests: true };

const server = createServer(settings, (incoming, outgoing) => {
  if (incoming.method === 'GET') {
    const endpoints = { token_endpoint: `${url()}/token` };
    return answer(outgoing, { ...endpoints, padding: 'p'.repeat(1_400) });
  }
  let body = '';
  incoming.setEncoding('latin1');
  incoming.on('data', (chunk) => {
    body += chunk;
  });
  incoming.on('end', () => {
    const scope = new URLSearchParams(body).get('scope');
    // DER encoding: Node.js 24 takes twice as long for the IEEE P1363 encoding that a JWT has.
    const signature = sign('sha256', Buffer.from(claims, 'latin1'), privateKey);
    answer(outgoing, { access_token: `${claims}.${signature.toString('base64url')}`, scope });
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: url() })));

const url = () => `http://127.0.0.1:${server.address().port}`;

function answer(outgoing, content) {
  const text = JSON.stringify(content);
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(text.length)];
  outgoing.writeHead(200, headers).end(text, 'latin1');
}

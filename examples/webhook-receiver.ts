/**
 * A webhook receiver that accepts only signed deliveries: `node webhook-receiver.ts`. Without a secret it
 * passes the handshake and rejects every delivery. Create the subscription, then start the receiver again with
 * the returned `whsec_…` in WEBHOOK_SECRET. It needs nothing but Node.js.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
const toleranceSeconds = 5 * 60;

/** Whether one of the signatures matches the message, and its timestamp is within the tolerance. */
function isSigned(headers: Record<string, unknown>, body: Buffer): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (secret.length === 0 || !(age <= toleranceSeconds)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** A delivery may be repeated: an id that was seen is acknowledged and not handled again. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  // Before the first delivery the server asks for permission (CloudEvents WebHook handshake).
  if (request.method === 'OPTIONS') {
    const origin = request.headers['webhook-request-origin'] ?? '*';
    response
      .writeHead(200, { 'WebHook-Allowed-Origin': origin, 'WebHook-Allowed-Rate': '*' })
      .end();
    return;
  }
  const body = await buffer(request);
  if (!isSigned(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = String(request.headers['ce-id']);
  if (!seen.has(id)) {
    seen.add(id);
    console.log(`${request.headers['ce-type']} ${request.headers['ce-subject']} ${body}`);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log('listening', JSON.stringify(server.address()));
});

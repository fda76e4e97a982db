/**
 * Publishes an event: `node publisher.ts <server> <event type> <subject>`, with an access token of
 * scope events.publish in TRADEWIND_TOKEN.
 */
const [server = 'http://localhost:8787', type = '', subject = ''] = process.argv.slice(2);

// Retrying with the same id is safe: if the server has already accepted the event, it counts as a duplicate.
const id = crypto.randomUUID();
const event = {
  specversion: '1.0',
  id,
  source: 'https://shop.example.com',
  type,
  subject,
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data: { resource: { name: subject.split('/').slice(3).join('/') } },
};

async function publish(attempts: number): Promise<void> {
  const answer = await fetch(new URL('/v1/events', server), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.TRADEWIND_TOKEN}`,
      'content-type': 'application/cloudevents+json',
    },
    body: JSON.stringify(event),
  }).catch((error) => ({ status: 503, text: async () => String(error) }));
  const isWorthAnotherTry = answer.status === 429 || answer.status >= 500;
  if (isWorthAnotherTry && attempts > 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return publish(attempts - 1);
  }
  console.log(answer.status, await answer.text());
  if (answer.status !== 202) process.exitCode = 1;
}

await publish(3);

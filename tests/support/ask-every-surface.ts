import { issueToken } from './issue-token.ts';

export type Surfaces = {
  /** Sends each service a request that must write to the store. Returns the status and the form of each answer. */
  ask(): Promise<Record<string, unknown>>;
  publish(id: string): Promise<number>;
};

/** One call to every service of a running server, through its own interface, that needs the store. */
export async function openSurfaces(server: string): Promise<Surfaces> {
  const scope = 'subscriptions.read subscriptions.write events.publish';
  const authorization = `Bearer ${await issueToken(server, scope)}`;
  const subject = '//chat.googleapis.com/spaces/A';
  const json = { authorization, 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Record<string, string> = json) =>
    fetch(`${server}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const publish = (id: string) =>
    post(
      '/v1/events',
      {
        specversion: '1.0',
        id,
        source: subject,
        type: 'google.workspace.chat.message.v1.created',
        subject,
        data: { message: { name: 'spaces/A/messages/1' } },
      },
      { ...json, 'content-type': 'application/cloudevents+json' },
    );
  const clients: Record<string, () => Promise<Response>> = {
    authorization: () => post('/register', { redirect_uris: ['http://127.0.0.1/callback'] }),
    events: () => publish('of a surface'),
    swap: () => fetch(`${server}/v1/swap/1?tokenIn=0x1&tokenOut=0x2&amount=1&sender=0x3`),
    health: () => fetch(`${server}/health`),
  };
  return {
    publish: async (id) => (await publish(id)).status,
    async ask() {
      const answers: Record<string, unknown> = {};
      for (const [name, call] of Object.entries(clients)) {
        const response = await call();
        const { error } = (await response.json()) as { error?: unknown };
        answers[name] = {
          status: response.status,
          retry: response.headers.get('retry-after'),
          error,
        };
      }
      return answers;
    },
  };
}

/** One request of a case; the paths of some differ from one request to the next. */
export type Asked = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

export type Case = {
  readonly status: number;
  /** Text that the answer contains, so that every server has done the work. */
  readonly contains: string;
  asked(index: number): Asked;
};

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const chains = [1, 10, 56, 100, 137, 8453, 31337, 42161];
const order = JSON.stringify({ name: 'an order', padding: 'x'.repeat(265) });

export const cases: Readonly<Record<string, Case>> = {
  'GET, static path': {
    status: 200,
    contains: '"status":"ok"',
    asked: () => ({ method: 'GET', path: '/status' }),
  },
  'GET, parameter and query': {
    status: 200,
    contains: '"amount":"10',
    asked: (index) => ({
      method: 'GET',
      path: `/v1/swap/${chains[index % chains.length]}?tokenIn=${token}&tokenOut=${token}&sender=${token}&amount=${1_000_000 + index}`,
    }),
  },
  'POST, form': {
    status: 200,
    contains: '"scope":"swap.read"',
    asked: () => ({
      method: 'POST',
      path: '/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from('machine:secret').toString('base64')}`,
      },
      body: 'grant_type=client_credentials&scope=swap.read',
    }),
  },
  'POST, JSON of 300 B': {
    status: 200,
    contains: '"name":"an order"',
    asked: () => ({
      method: 'POST',
      path: '/v1/orders',
      headers: { 'content-type': 'application/json' },
      body: order,
    }),
  },
  'unknown path': {
    status: 404,
    contains: '',
    asked: (index) => ({ method: 'GET', path: `/v1/nothing/${index}` }),
  },
  'event stream of 5 events': {
    status: 200,
    contains: 'id: 4',
    asked: () => ({ method: 'GET', path: '/v1/stream' }),
  },
};

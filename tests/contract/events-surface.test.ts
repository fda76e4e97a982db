import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { statuses } from '../../src/events/model/events-error.ts';
import { DatabaseError } from '../../src/kernel/database/database.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import {
  createTestSubscription as create,
  fileCreated,
  newSubscriptionBody,
  openTestEvents,
  testCallers,
} from '../support/open-test-events.ts';
import { migratedEngines } from '../support/test-engines.ts';

const [{ createStore }] = migratedEngines;
const open = async (options: Parameters<typeof openTestEvents>[1] = {}) =>
  openTestEvents(await (await createStore()).open(), options);

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Answer = { status: number; body: any };
const told = ({ status, body }: Answer) => [status, body.error?.code, body.error?.status];
const violated = ({ body }: Answer): string[] =>
  body.error.details
    .find((one: object) => 'fieldViolations' in one)
    .fieldViolations.map(({ field }: { field: string }) => field);
const reasonOf = ({ body }: Answer) => body.error.details[0].reason;
const list = `/v1/subscriptions?filter=${encodeURIComponent(`event_types:"${fileCreated}"`)}`;

describe('paths', () => {
  test('are one segment or many, with escapes decoded [E1.2, E1.4, E1.5, E1.9, E1.10, E1.13]', async () => {
    const events = await open();
    const { body } = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody(),
    });
    const id = body.response.name.split('/')[1];
    const operation = body.name.split('/')[1];
    const escaped = id.replace(/^./, (first: string) => `%${first.charCodeAt(0).toString(16)}`);
    expect((await events.call('GET', `/v1/subscriptions/${escaped}`)).body.name).toBe(
      body.response.name,
    );
    expect((await events.call('GET', `/v1/operations/${operation}`)).status).toBe(200);
    for (const [path, reason] of [
      ['/v1/operations/a/b/c', 'OPERATION_NOT_FOUND'],
      ['/v1/operations/a%2Fb', 'OPERATION_NOT_FOUND'],
      ['/v1/operations/', 'NOT_FOUND'],
      ['/v1/subscriptions/', 'NOT_FOUND'],
      ['/v1/subscriptions/a/b', 'NOT_FOUND'],
      ['/v1/subscriptions/a%2Fb', 'SUBSCRIPTION_NOT_FOUND'],
      ['/v1/subscriptions/%zz', 'NOT_FOUND'],
    ] as const) {
      const answer = await events.call('GET', path);
      expect([path, ...told(answer)]).toEqual([path, 404, 404, 'NOT_FOUND']);
      expect(reasonOf(answer)).toBe(reason);
    }
    const asName = await events.call('GET', '/v1/operations/a%2Fb');
    expect(asName.body.error.details[0].metadata.name).toBe('operations/a/b');
  });

  test('end in a custom verb behind the last colon [E1.6, E1.11, E1.14]', async () => {
    const events = await open();
    const { name } = await create(events);
    expect(reasonOf(await events.call('POST', `/v1/${name}:reactivate`))).toBe(
      'SUBSCRIPTION_NOT_SUSPENDED',
    );
    for (const path of [
      `/v1/${name}:explode`,
      `/v1/${name}:reactivate:x`,
      '/v1/nothing',
      '/v1/a:b:reactivate',
      '/v1/subscriptions/a%00:reactivate',
    ]) {
      expect(told(await events.call('POST', path))).toEqual([404, 404, 'NOT_FOUND']);
    }
    expect(reasonOf(await events.call('POST', '/v1/subscriptions/a:b:reactivate'))).toBe(
      'SUBSCRIPTION_NOT_FOUND',
    );
  });

  test('name the verbs that they answer [E1.15, E8.12]', async () => {
    const events = await open();
    for (const [method, path, allow] of [
      ['PUT', '/v1/subscriptions', 'POST, GET, HEAD'],
      ['POST', '/v1/subscriptions/x', 'GET, HEAD, PATCH, DELETE'],
      ['GET', '/v1/subscriptions/x:reactivate', 'POST'],
      ['DELETE', '/v1/operations/x', 'GET, HEAD'],
    ] as const) {
      const answer = await events.call(method, path);
      expect(told(answer)).toEqual([405, 405, 'UNIMPLEMENTED']);
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });
});

describe('tokens', () => {
  test('are wanted by every method but discovery [E7.1, E7.4, E8.4, E9.2]', async () => {
    const events = await open();
    for (const [as, reason] of [
      [null, 'CREDENTIALS_MISSING'],
      ['expired', 'ACCESS_TOKEN_EXPIRED'],
      ['forged', 'ACCESS_TOKEN_INVALID'],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/v1/subscriptions'],
        ['GET', '/v1/subscriptions'],
        ['GET', '/v1/subscriptions/x'],
        ['PATCH', '/v1/subscriptions/x'],
        ['DELETE', '/v1/subscriptions/x'],
        ['POST', '/v1/subscriptions/x:reactivate'],
        ['GET', '/v1/operations/x'],
        ['GET', '/v1/applications'],
        ['POST', '/v1/events'],
      ] as const) {
        const answer = await events.call(method, path, { as });
        expect(told(answer)).toEqual([401, 401, 'UNAUTHENTICATED']);
        expect(reasonOf(answer)).toBe(reason);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
      }
    }
    expect((await events.call('GET', '/$discovery/rest', { as: null })).status).toBe(200);
  });

  test('in the query are refused, also beside a good header [E7.7]', async () => {
    const events = await open();
    for (const name of ['access_token', 'oauth_token']) {
      const answer = await events.call('GET', `${list}&${name}=alice`);
      expect(told(answer)).toEqual([401, 401, 'UNAUTHENTICATED']);
      expect(answer.text).not.toContain('"alice"');
    }
  });

  test('need the scope of the method, and those of the application [E7.2, E7.3, E7.5, E8.5]', async () => {
    const events = await open();
    const refused = async (method: string, path: string, options: object) => {
      const answer = await events.call(method, path, options);
      expect([path, ...told(answer)]).toEqual([path, 403, 403, 'PERMISSION_DENIED']);
      expect(reasonOf(answer)).toBe('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
      expect(answer.headers.get('www-authenticate')).toMatch(/insufficient_scope", scope="\w/);
    };
    const { name } = await create(events);
    for (const [method, path] of [
      ['POST', '/v1/subscriptions'],
      ['PATCH', `/v1/${name}`],
      ['DELETE', `/v1/${name}`],
      ['POST', `/v1/${name}:reactivate`],
    ] as const) {
      await refused(method, path, { as: 'reader' });
    }
    expect((await events.call('GET', `/v1/${name}`, { as: 'reader' })).status).toBe(200);
    for (const path of [`/v1/${name}`, list, '/v1/operations/x', `/v1/${name}/deliveries`]) {
      await refused('GET', path, { as: 'nobody' });
    }
    const chain = {
      targetResource: '//swap/chains/1',
      eventTypes: ['tradewind.swap.rpcs.v1.refreshed'],
    };
    await refused('POST', '/v1/subscriptions', { body: newSubscriptionBody(chain) });
    const watched = await create(events, chain, { as: 'trader' });
    const operator = 'operator';
    await refused(
      'GET',
      `/v1/subscriptions?filter=${encodeURIComponent('event_types:"tradewind.swap.rpcs.v1.refreshed"')}`,
      { as: operator },
    );
    expect((await events.call('GET', `/v1/${watched.name}`, { as: 'trader' })).status).toBe(200);
    for (const method of ['GET', 'DELETE']) {
      await refused(method, `/v1/${watched.name}`, { as: 'formerTrader' });
    }
    const grants = {
      targetResource: '//authorization/users/-',
      eventTypes: ['tradewind.authorization.grant.v1.created'],
    };
    await refused('POST', '/v1/subscriptions', { body: newSubscriptionBody(grants), as: 'trader' });
    await create(events, grants, { as: operator });
  });
});

describe('standard parameters', () => {
  test('are known to every method, and others are refused [E7.6, E7.10, E7.17, E6.10]', async () => {
    const events = await open();
    const { name } = await create(events);
    const known =
      '$.xgafv=2&alt=json&key=k&quotaUser=q&uploadType=u&upload_protocol=p&prettyPrint=true';
    expect((await events.call('GET', `/v1/${name}?${known}`)).status).toBe(200);
    expect((await events.call('GET', `${list}&${known}`)).status).toBe(200);
    const bad = await events.call('GET', `/v1/${name}?filter=x&quotaUser=${'q'.repeat(41)}`);
    expect(told(bad)).toEqual([400, 400, 'INVALID_ARGUMENT']);
    expect(violated(bad).sort()).toEqual(['filter', 'quotaUser']);
    expect(violated(await events.call('GET', `/v1/${name}?key=a&key=b`))).toEqual(['key']);
  });

  test('name formats, of which only JSON is served [E7.11, E7.12]', async () => {
    const events = await open();
    for (const alt of ['proto', 'media']) {
      expect(told(await events.call('GET', `${list}&alt=${alt}`))).toEqual([
        501,
        501,
        'UNIMPLEMENTED',
      ]);
    }
    expect(violated(await events.call('GET', `${list}&alt=xml`))).toEqual(['alt']);
    expect(violated(await events.call('GET', `${list}&callback=f`))).toEqual(['callback']);
  });

  test('have the texts true and false for booleans [E7.13]', async () => {
    const events = await open();
    const made = await events.call('POST', '/v1/subscriptions?validateOnly=false', {
      body: newSubscriptionBody(),
    });
    expect(made.body.response.name).toBeDefined();
    for (const value of ['1', 'True', '', 'yes']) {
      const answer = await events.call(
        'DELETE',
        `/v1/${made.body.response.name}?validateOnly=${value}`,
      );
      expect(violated(answer)).toEqual(['validateOnly']);
    }
  });

  test('narrow an answer to its fields [E7.8, E7.9]', async () => {
    const events = await open();
    const { name } = await create(events);
    const answer = async (path: string) => (await events.call('GET', path)).body;
    expect(await answer(`${list}&fields=subscriptions(name,state),nextPageToken`)).toEqual({
      subscriptions: [{ name, state: 'ACTIVE' }],
    });
    expect(await answer(`/v1/${name}?fields=notificationEndpoint/eventStream,state`)).toEqual({
      notificationEndpoint: { eventStream: {} },
      state: 'ACTIVE',
    });
    expect(await answer(`/v1/${name}?fields=payloadOptions.fieldMask`)).toEqual({});
    expect(await answer(`${list}&fields=*`)).toEqual(await answer(list));
    expect(await answer(`${list}&fields=subscriptions/*`)).toEqual(await answer(list));
    for (const fields of ['nothing', 'name/x', 'a(b', 'name,', '', 'payloadOptions(x)', '(name)']) {
      expect([fields, violated(await events.call('GET', `/v1/${name}?fields=${fields}`))]).toEqual([
        fields,
        ['fields'],
      ]);
    }
    const created = await events.call(
      'POST',
      '/v1/subscriptions?validateOnly=true&fields=response/state',
      {
        body: newSubscriptionBody({ targetResource: '//drive.googleapis.com/files/2' }),
      },
    );
    expect(created.body).toEqual({ response: { state: 'ACTIVE' } });
  });

  test('refuse unknown fields before anything is done [E7.9]', async () => {
    const events = await open();
    const { name } = await create(events);
    const refused = await events.call('DELETE', `/v1/${name}?fields=nothing`);
    expect(violated(refused)).toEqual(['fields']);
    expect((await events.call('GET', `/v1/${name}`)).status).toBe(200);
  });

  test('may stand in the body of a GET that is sent as a POST [E7.18]', async () => {
    const events = await open();
    const { name } = await create(events);
    const [path = '', query] = list.split('?');
    const headers = {
      'X-HTTP-Method-Override': 'GET',
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const listed = await events.call('POST', path, {
      body: `${query}&fields=subscriptions(name)`,
      headers,
    });
    expect(listed.body).toEqual({ subscriptions: [{ name }] });
    const refused = await events.call('POST', path, { body: 'access_token=alice', headers });
    expect(refused.status).toBe(401);
  });

  test('indent answers unless they are told not to [E7.16, E4.7, E4.8]', async () => {
    const events = await open();
    const { name } = await create(events);
    const indented = await events.call('GET', `/v1/${name}`);
    expect(indented.text).toContain('\n  "name": ');
    expect(indented.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    const compact = await events.call('GET', `/v1/${name}?prettyPrint=false`);
    expect(compact.text.trim().split('\n')).toHaveLength(1);
    expect(compact.body).toEqual(indented.body);
    const refusal = await events.call('GET', '/v1/subscriptions/x?prettyPrint=false');
    expect(refusal.text.trim().split('\n')).toHaveLength(1);
    expect(refusal.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    for (const ttl of ['60s', '120s']) {
      expect((await events.call('PATCH', `/v1/${name}`, { body: { ttl } })).status).toBe(200);
    }
  });

  test('answers of a kilobyte are compressed for those who ask, shorter ones never [E7.14]', async () => {
    const events = await open();
    const listAs = async (encodings: string) => {
      const headers = { 'Accept-Encoding': encodings };
      const { response } = await events.call('GET', list, { headers });
      const bytes = Buffer.from(await response.arrayBuffer());
      const encoding = response.headers.get('content-encoding');
      return { encoding, text: (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString() };
    };
    expect((await listAs('gzip')).encoding).toBeNull();
    for (const id of ['a', 'b', 'c']) {
      await create(events, { targetResource: `//drive.googleapis.com/files/${id}` });
    }
    const { text } = await events.call('GET', list);
    expect(text.length).toBeGreaterThan(1_024);
    for (const [encodings, encoding] of [
      ['gzip', 'gzip'],
      ['deflate, gzip;q=0.5', 'gzip'],
      ['gzip;q=0', null],
      ['br', null],
    ] as const) {
      expect(await listAs(encodings)).toEqual({ encoding, text });
    }
  });
});

describe('bodies', () => {
  test('take names in either case, once [E2.39]', async () => {
    const events = await open();
    const { body } = await events.call('POST', '/v1/subscriptions?validateOnly=true', {
      body: {
        target_resource: '//chat.googleapis.com/spaces/s',
        event_types: ['google.workspace.chat.message.v1.created'],
        notification_endpoint: { pubsub_topic: 'projects/p/topics/t' },
        payloadOptions: { include_resource: true, field_mask: 'message.create_time' },
      },
    });
    expect(body.response).toMatchObject({
      notificationEndpoint: { pubsubTopic: 'projects/p/topics/t' },
      payloadOptions: { includeResource: true, fieldMask: 'message.createTime' },
    });
    const twice = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody({ target_resource: '//drive.googleapis.com/files/2' }),
    });
    expect(violated(twice)).toEqual(['targetResource']);
  });

  test('name what is unknown or of the wrong kind, and take null for absent [E2.40, E2.41, E8.1]', async () => {
    const events = await open();
    const { body, ...answer } = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody({
        colour: 'red',
        notificationEndpoint: { webhook: { uri: 'https://example.com/', verify: false } },
        eventTypes: [1],
        ttl: 60,
        expireTime: 'tomorrow',
        state: 'BROKEN',
        targetResource: '//drive.googleapis.com/files/\0',
        payloadOptions: { includeResource: 'yes' },
      }),
    });
    expect(violated({ body, ...answer }).sort()).toEqual([
      'colour',
      'eventTypes[0]',
      'expireTime',
      'notificationEndpoint.webhook.verify',
      'payloadOptions.includeResource',
      'state',
      'targetResource',
      'ttl',
    ]);
    const made = await create(events, {
      ttl: null,
      payloadOptions: null,
      driveOptions: null,
      etag: null,
    });
    expect(made.state).toBe('ACTIVE');
    for (const bad of ['{', '[]', '"x"', 'null']) {
      const refused = await events.call('POST', '/v1/subscriptions', { body: bad });
      expect([bad, ...told(refused)]).toEqual([bad, 400, 400, 'INVALID_ARGUMENT']);
    }
  });

  test('and queries may use the names of JavaScript without any effect [E2.40, E7.17]', async () => {
    const events = await open();
    const { name } = await create(events);
    for (const bad of ['__proto__', 'constructor', 'toString']) {
      const body = `{"${bad}": {"ttl": "60s"}, "ttl": "60s"}`;
      expect(violated(await events.call('PATCH', `/v1/${name}`, { body }))).toEqual([bad]);
      expect(violated(await events.call('GET', `/v1/${name}?${bad}=1`))).toEqual([bad]);
      expect(violated(await events.call('GET', `/v1/${name}?fields=${bad}`))).toEqual(['fields']);
    }
  });

  test('have at most 64 KiB [E6.15]', async () => {
    const events = await open();
    const answer = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody({ name: 'x'.repeat(64 * 1024) }),
    });
    expect(told(answer)).toEqual([413, 413, 'INVALID_ARGUMENT']);
  });
});

describe('errors', () => {
  test('have one body with one ErrorInfo, whatever they are [E8.15, E8.17, E8.18, E8.19, E8.20, E8.21]', async () => {
    const events = await open();
    const { name } = await create(events);
    for (const [method, path, body] of [
      ['GET', '/v1/nothing', undefined],
      ['PUT', '/v1/subscriptions', undefined],
      ['GET', '/v1/subscriptions/x', undefined],
      ['GET', '/v1/subscriptions?filter=x', undefined],
      ['POST', '/v1/subscriptions', newSubscriptionBody()],
      ['POST', '/v1/subscriptions', { a: 1, ttl: 'x' }],
      ['DELETE', `/v1/${name}?etag=x`, undefined],
      ['POST', `/v1/${name}:reactivate`, undefined],
      ['GET', '/$discovery/rest?version=v2', undefined],
    ] as const) {
      const answer = await events.call(method, path, body === undefined ? {} : { body });
      const { code, message, status, details, ...rest } = answer.body.error;
      expect(rest).toEqual({});
      expect(code).toBe(answer.status);
      expect(statuses).toHaveProperty(status);
      const kinds = details.map((one: Record<string, string>) => one['@type']);
      expect(new Set(kinds).size).toBe(kinds.length);
      expect(kinds[0]).toBe('type.googleapis.com/google.rpc.ErrorInfo');
      const [{ reason, domain, metadata }] = details;
      expect(domain).toBe('localhost:8787');
      expect(reason).toMatch(/^[A-Z][A-Z0-9_]{0,61}[A-Z0-9]$/);
      for (const value of Object.values(metadata)) expect(typeof value).toBe('string');
      const variable = message.match(/subscriptions\/\w+|\/v1\/\w+/g) ?? [];
      for (const part of variable) expect(JSON.stringify(metadata)).toContain(part);
    }
  });

  test('have the older list too for those who ask [E8.16]', async () => {
    const events = await open();
    const answer = async (query: string) =>
      (await events.call('GET', `/v1/subscriptions/x${query}`)).body.error;
    const { message, errors } = await answer('?$.xgafv=1');
    expect(errors).toEqual([
      { message, domain: 'localhost:8787', reason: 'SUBSCRIPTION_NOT_FOUND' },
    ]);
    for (const query of ['', '?$.xgafv=2'])
      expect(await answer(query)).not.toHaveProperty('errors');
    expect(violated(await events.call('GET', '/v1/subscriptions/x?$.xgafv=3'))).toEqual([
      '$.xgafv',
    ]);
  });

  test('are reported by precedence [E8.22]', async () => {
    const events = await open();
    const { name } = await create(events);
    const bad = { body: { nonsense: 1 } };
    const missing = '/v1/subscriptions/missing';
    const steps = [
      [await events.call('PATCH', `${missing}?x=1`, { ...bad, as: null }), 401],
      [await events.call('PATCH', `${missing}?x=1`, { ...bad, as: 'reader' }), 403],
      [await events.call('PATCH', missing, bad), 400],
      [await events.call('PATCH', missing, { body: { ttl: '60s', etag: 'x' } }), 404],
      [await events.call('DELETE', `/v1/${name}?etag=x`), 409],
      [await events.call('POST', `/v1/${name}:reactivate`), 400],
    ] as const;
    for (const [answer, status] of steps) expect(answer.status).toBe(status);
    const scopeFirst = await events.call('POST', '/v1/subscriptions', {
      body: { eventTypes: ['tradewind.authorization.grant.v1.created'], nonsense: 1 },
    });
    expect(scopeFirst.status).toBe(403);
  });

  test('are mapped from every status [E8.3, E8.11, E8.14]', () => {
    const http = Object.fromEntries(
      Object.entries(statuses).map(([name, one]) => [name, [one.grpc, one.http]]),
    );
    expect(http).toEqual({
      CANCELLED: [1, 499],
      UNKNOWN: [2, 500],
      INVALID_ARGUMENT: [3, 400],
      DEADLINE_EXCEEDED: [4, 504],
      NOT_FOUND: [5, 404],
      ALREADY_EXISTS: [6, 409],
      PERMISSION_DENIED: [7, 403],
      RESOURCE_EXHAUSTED: [8, 429],
      FAILED_PRECONDITION: [9, 400],
      ABORTED: [10, 409],
      OUT_OF_RANGE: [11, 400],
      UNIMPLEMENTED: [12, 501],
      INTERNAL: [13, 500],
      UNAVAILABLE: [14, 503],
      DATA_LOSS: [15, 500],
      UNAUTHENTICATED: [16, 401],
    });
  });

  test('of the server reveal nothing internal, and an unavailable store may be retried [E8.11, E8.13]', async () => {
    const events = await open({
      identifyCaller: async (request) => {
        if (request.headers.get('authorization') === 'Bearer store') {
          throw new DatabaseError('UNAVAILABLE', 'connection to 10.1.2.3 refused');
        }
        throw new Error('secret inside');
      },
    });
    const bug = await events.call('GET', list);
    expect(told(bug)).toEqual([500, 500, 'INTERNAL']);
    expect(bug.text).not.toContain('secret inside');
    expect(JSON.stringify(events.errors)).toContain('secret inside');
    const down = await events.call('GET', list, { as: 'store' });
    expect(told(down)).toEqual([503, 503, 'UNAVAILABLE']);
    expect(down.text).not.toContain('10.1.2.3');
  });

  test('say so when the work takes longer than a request may [E6.11, E8.14]', async () => {
    const events = await open({
      identifyCaller: async () => ({
        caller: { ...testCallers.reader!, subject: 'a' },
      }),
    });
    const never = events.database;
    never.first = () => new Promise(() => {});
    const answering = events.call('GET', '/v1/operations/x');
    await events.clock.whenAsleep();
    events.clock.advance(55_000);
    expect(told(await answering)).toEqual([504, 504, 'DEADLINE_EXCEEDED']);
  });

  test('are 499 where the caller went away [E8.10]', async () => {
    const gone = new AbortController();
    const events = await open({
      identifyCaller: async () => {
        gone.abort();
        throw gone.signal.reason;
      },
    });
    const response = await events.edge.request(
      new Request(`http://localhost:8787${list}`, { signal: gone.signal }),
    );
    expect(response.status).toBe(499);
    expect(events.errors).toEqual([]);
  });
});

describe('quotas', () => {
  const get = '/v1/subscriptions/x';

  test('count reads of a user and of a project, apart from writes [E6.6, E6.7, E6.8, E6.9, E8.9]', async () => {
    const events = await open({
      identifyCaller: async (request) => {
        const subject = request.headers.get('authorization') ?? '';
        return { caller: { ...testCallers.alice!, subject } };
      },
    });
    const readAs = async (as: string, count: number) => {
      for (let index = 0; index < count; index++) {
        const { status } = await events.call('GET', `${get}?quotaUser=${index}`, { as });
        if (status === 429) return index;
      }
      return count;
    };
    expect(await readAs('one', 110)).toBe(100);
    const refused = await events.call('GET', get, { as: 'one' });
    expect(told(refused)).toEqual([429, 429, 'RESOURCE_EXHAUSTED']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(refused.body.error.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: `${seconds}s`,
    });
    expect((await events.call('DELETE', get, { as: 'one' })).status).toBe(404);
    expect((await events.call('GET', '/v1/operations/x', { as: 'one' })).status).toBe(404);
    let ofProject = 100;
    for (const as of ['two', 'three', 'four', 'five', 'six', 'seven'])
      ofProject += await readAs(as, 110);
    expect(ofProject).toBe(600);
    events.clock.advance(60_000);
    expect(await readAs('one', 50)).toBe(50);
  });
});

describe('the discovery document', () => {
  const document = async () => {
    const events = await open();
    return (await events.call('GET', '/$discovery/rest?version=v1', { as: null })).body;
  };

  test('has the keys of every such document [E1.8, E9.1]', async () => {
    const found = await document();
    expect(found).toMatchObject({
      kind: 'discovery#restDescription',
      discoveryVersion: 'v1',
      id: 'workspaceevents:v1',
      name: 'workspaceevents',
      version: 'v1',
      revision: expect.stringMatching(/^\d{8}$/),
      protocol: 'rest',
      rootUrl: 'http://localhost/',
      baseUrl: 'http://localhost/',
      basePath: '',
      servicePath: '',
      batchPath: 'batch',
      version_module: true,
      fullyEncodeReservedExpansion: true,
    });
    for (const key of [
      'canonicalName',
      'title',
      'description',
      'documentationLink',
      'ownerDomain',
      'ownerName',
      'icons',
      'mtlsRootUrl',
      'auth',
      'parameters',
      'schemas',
      'resources',
    ]) {
      expect(found).toHaveProperty(key);
    }
    const events = await open();
    expect((await events.call('GET', '/$discovery/rest', { as: null })).body).toEqual(found);
    const other = await events.call('GET', '/$discovery/rest?version=v2', { as: null });
    expect(told(other)).toEqual([404, 404, 'NOT_FOUND']);
  });

  test('has every method with its parameters [E1.1, E1.3, E1.7, E9.4, E9.5]', async () => {
    const { subscriptions, operations } = (await document()).resources;
    const methods = { ...subscriptions.methods, getOperation: operations.methods.get };
    const shapes = Object.entries(methods).map(([name, method]) => {
      // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
      const { id, httpMethod, path, flatPath, request, response } = method as any;
      return [name, id, httpMethod, path, flatPath, request?.$ref, response.$ref];
    });
    const own = ['create', 'get', 'list', 'patch', 'delete', 'reactivate', 'getOperation'];
    expect(shapes.filter(([name]) => own.includes(name))).toEqual([
      [
        'create',
        'workspaceevents.subscriptions.create',
        'POST',
        'v1/subscriptions',
        'v1/subscriptions',
        'Subscription',
        'Operation',
      ],
      [
        'get',
        'workspaceevents.subscriptions.get',
        'GET',
        'v1/{+name}',
        'v1/subscriptions/{subscriptionsId}',
        undefined,
        'Subscription',
      ],
      [
        'list',
        'workspaceevents.subscriptions.list',
        'GET',
        'v1/subscriptions',
        'v1/subscriptions',
        undefined,
        'ListSubscriptionsResponse',
      ],
      [
        'patch',
        'workspaceevents.subscriptions.patch',
        'PATCH',
        'v1/{+name}',
        'v1/subscriptions/{subscriptionsId}',
        'Subscription',
        'Operation',
      ],
      [
        'delete',
        'workspaceevents.subscriptions.delete',
        'DELETE',
        'v1/{+name}',
        'v1/subscriptions/{subscriptionsId}',
        undefined,
        'Operation',
      ],
      [
        'reactivate',
        'workspaceevents.subscriptions.reactivate',
        'POST',
        'v1/{+name}:reactivate',
        'v1/subscriptions/{subscriptionsId}:reactivate',
        'ReactivateSubscriptionRequest',
        'Operation',
      ],
      [
        'getOperation',
        'workspaceevents.operations.get',
        'GET',
        'v1/{+name}',
        'v1/operations/{operationsId}',
        undefined,
        'Operation',
      ],
    ]);
    expect(methods.get.parameters.name).toMatchObject({
      pattern: '^subscriptions/[^/]+$',
      required: true,
      location: 'path',
    });
    expect(methods.getOperation.parameters.name.pattern).toBe('^operations/.*$');
    expect(methods.list.parameters.pageSize).toMatchObject({
      type: 'integer',
      format: 'int32',
      location: 'query',
    });
    expect(methods.patch.parameters.updateMask.format).toBe('google-fieldmask');
    expect(methods.create.parameters.validateOnly).toMatchObject({
      type: 'boolean',
      location: 'query',
    });
    expect(methods.get.parameterOrder).toEqual(['name']);
    expect(methods.create.scopes).toEqual(['subscriptions.write']);
    for (const one of Object.values(methods)) expect(one).toHaveProperty('description');
  });

  test('declares formats, what is output only, and enums [E2.13, E9.6, E9.7]', async () => {
    const { Subscription, PayloadOptions, ListSubscriptionsResponse } = (await document()).schemas;
    expect(Subscription.id).toBe('Subscription');
    expect(Subscription.properties).toMatchObject({
      expireTime: { type: 'string', format: 'google-datetime' },
      ttl: { type: 'string', format: 'google-duration' },
      uid: { type: 'string', readOnly: true },
      reconciling: { type: 'boolean', readOnly: true },
      eventTypes: { type: 'array', items: { type: 'string' } },
      payloadOptions: { $ref: 'PayloadOptions' },
    });
    const { enum: values, enumDescriptions } = Subscription.properties.state;
    expect(values).toEqual(['STATE_UNSPECIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED']);
    expect(enumDescriptions).toHaveLength(values.length);
    expect(Subscription.properties.suspensionReason.enum).toHaveLength(10);
    expect(PayloadOptions.properties.fieldMask.format).toBe('google-fieldmask');
    expect(ListSubscriptionsResponse.properties.nextPageToken).toMatchObject({ type: 'string' });
  });

  test('declares the standard parameters, the refused ones too [E9.8]', async () => {
    const { parameters } = await document();
    expect(parameters.alt.default).toBe('json');
    expect(parameters.prettyPrint.default).toBe('true');
    expect(Object.keys(parameters).sort()).toEqual([
      '$.xgafv',
      'access_token',
      'alt',
      'callback',
      'fields',
      'key',
      'oauth_token',
      'prettyPrint',
      'quotaUser',
      'uploadType',
      'upload_protocol',
    ]);
  });

  test('has the additions of this server [E9.9]', async () => {
    const { resources, schemas } = await document();
    expect(resources.applications.methods).toHaveProperty('create');
    expect(resources.events.methods.publish.path).toBe('v1/events');
    expect(resources.subscriptions.resources.deliveries.methods.list.path).toBe(
      'v1/{+parent}/deliveries',
    );
    expect(resources.subscriptions.methods.replay.path).toBe('v1/{+name}:replay');
    expect(resources.subscriptions.methods.rotateSecret).toMatchObject({
      path: 'v1/{+name}:rotateSecret',
      request: { $ref: 'RotateSecretRequest' },
    });
    expect(resources.projects.resources.topics.methods.listen.flatPath).toBe(
      'v1/projects/{projectsId}/topics/{topicsId}:listen',
    );
    expect(schemas.Subscription.properties).toHaveProperty('swapOptions');
    expect(schemas.NotificationEndpoint.properties).toHaveProperty('webhook');
  });

  test('declares everything that is taken and answered [E9.10]', async () => {
    const events = await open();
    const { schemas, resources } = (await events.call('GET', '/$discovery/rest', { as: null }))
      .body;
    // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
    const undeclared = (value: any, schema: any, path: string): string[] => {
      const declared = schema?.$ref ? schemas[schema.$ref] : schema;
      if (declared === undefined) return [path];
      if (Array.isArray(value))
        return value.flatMap((item) => undeclared(item, declared.items, path));
      if (typeof value !== 'object' || declared.additionalProperties) return [];
      return Object.entries(value).flatMap(([name, member]) =>
        undeclared(member, declared.properties?.[name], `${path}.${name}`),
      );
    };
    const webhook = { uri: 'http://127.0.0.1:9/', contentMode: 'BATCH' };
    const { body } = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody({
        targetResource: '//chat.googleapis.com/spaces/s',
        eventTypes: ['google.workspace.chat.message.v1.created'],
        payloadOptions: { includeResource: true, fieldMask: 'message.text' },
        notificationEndpoint: { webhook },
      }),
    });
    const { '@type': _type, ...response } = body.response;
    expect(undeclared(response, { $ref: 'Subscription' }, 'Subscription')).toEqual([]);
    expect(undeclared(body, { $ref: 'Operation' }, 'Operation')).toEqual([]);
    const refs = JSON.stringify({ schemas, resources }).matchAll(/"\$ref":"(\w+)"/g);
    for (const [, id] of refs) expect(schemas).toHaveProperty(id!);
    for (const [id, schema] of Object.entries(schemas)) expect(schema).toMatchObject({ id });
  });

  test.each([
    [
      'https://events.example',
      '10.1.1.1',
      'inner:8787',
      'events.example',
      'https://events.example/',
    ],
    [
      'https://events.example',
      '10.1.1.1',
      'events.example',
      'evil.example',
      'https://events.example/',
    ],
    [
      'https://events.example',
      '10.1.1.1',
      'events.example',
      'localhost',
      'https://events.example/',
    ],
    [
      'https://events.example',
      '127.0.0.1',
      'localhost:8787',
      'evil.example',
      'https://events.example/',
    ],
    [
      'http://localhost:8787',
      '127.0.0.1',
      '127.0.0.1:9000',
      'evil.example',
      'http://127.0.0.1:9000/',
    ],
    [
      'http://localhost:8787',
      '127.0.0.1',
      'localhost:8787',
      'evil.example',
      'http://localhost:8787/',
    ],
  ])(
    'at %s, for %s with the host %s, forwarded for %s, names the address %s [E9.3, F18]',
    async (...given) => {
      const [publicUrl, remoteAddress, host, forwardedHost, rootUrl] = given;
      const events = await open({
        publicUrl: new URL(publicUrl),
        trustedProxies: parseNetworks(['10.0.0.0/8', '127.0.0.0/8']),
      });
      const response = await events.edge.request(
        `http://${host}/$discovery/rest`,
        {
          headers: {
            Host: host,
            'X-Forwarded-Proto': 'https',
            'X-Forwarded-Host': forwardedHost,
            'X-Forwarded-For': '203.0.113.1',
          },
        },
        { connection: { remoteAddress } },
      );
      expect(await response.json()).toMatchObject({ rootUrl });
    },
  );
});

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Installed only here; static imports would require their types wherever this code is checked.
const load = createRequire(import.meta.url);

type Version = 'v1' | 'v1beta';

/** The methods whose answer is an operation, with the types of its response. */
const longRunning = {
  createSubscription: 'Subscription',
  updateSubscription: 'Subscription',
  reactivateSubscription: 'Subscription',
  deleteSubscription: undefined,
} as const;
const plain = ['getSubscription', 'listSubscriptions'] as const;

type LongRunning = keyof typeof longRunning;

/** A message as a client has it: numbers for enums, or names, as its own library chooses. */
export type Message = Readonly<Record<string, unknown>>;

type Running = { readonly name: string; promise(): Promise<readonly unknown[]> };

/** The client of the subscription service that Google's generator writes over google-gax, with its defaults. */
export type CloudClient = Readonly<
  Record<LongRunning, (request: object, options?: object) => Promise<readonly [Running]>>
> &
  Readonly<
    Record<
      (typeof plain)[number],
      (request: object, options?: object) => Promise<readonly Message[]>
    >
  > & {
    readonly getOperation: (request: object) => Promise<readonly Message[]>;
  };

type Stub = Readonly<Record<string, (...given: unknown[]) => unknown>>;

/**
 * Makes the calls that a generated client makes (`@google-apps/*` of the same generation), from the published protos
 * and the unmodified library, since npm does not have the client of this service. It speaks REST, as with
 * `fallback: true`.
 */
export function createRestClient(
  server: URL,
  { token, version = 'v1' }: { readonly token: string; readonly version?: Version },
): CloudClient {
  const messages = `google.apps.events.subscriptions.${version}.`;
  const service = `${messages}SubscriptionsService`;
  const { fallback: gax, googleAuthLibrary } = load('google-gax');
  const auth = new googleAuthLibrary.OAuth2Client();
  auth.setCredentials({ access_token: token });
  const options = {
    servicePath: server.hostname,
    port: Number(server.port),
    protocol: server.protocol.replace(':', ''),
    fallback: true,
    numericEnums: true,
    minifyJson: true,
    auth,
  };
  const client = new gax.GrpcClient(options);
  const root = client.loadProtoJSON(readProtos(new gax.protobuf.Root(), version));
  const httpRules = [
    {
      selector: 'google.longrunning.Operations.GetOperation',
      get: `/${version}/{name=operations/**}`,
    },
  ];
  const operations = gax.lro({ ...options, protoJson: root, httpRules }).operationsClient(options);
  const settings = client.constructSettings(
    service,
    configurationOf(service),
    {},
    {
      'x-goog-api-client': `gax/${gax.version} gapic/0.0.0 rest/${client.grpcVersion}`,
    },
  );
  const stub: Promise<Stub> = client.createStub(root.lookupService(service), options);
  const call = (name: string, descriptor?: unknown) =>
    gax.createApiCall(
      stub.then(
        (methods) =>
          (...given: unknown[]) =>
            methods[name]?.(...given),
      ),
      settings[name],
      descriptor,
      true,
    );
  const decoder = (type: string) => {
    const found = root.lookupType(type);
    return found.decode.bind(found);
  };
  const describe = (name: LongRunning) => {
    const response = longRunning[name];
    const metadata = name.replace(/^./, (first) => first.toUpperCase());
    return new gax.LongrunningDescriptor(
      operations,
      decoder(response === undefined ? 'google.protobuf.Empty' : `${messages}${response}`),
      decoder(`${messages}${metadata}Metadata`),
    );
  };
  const names = Object.keys(longRunning) as LongRunning[]; // a table of exactly these
  return Object.fromEntries([
    ...names.map((name) => [name, call(name, describe(name))]),
    ...plain.map((name) => [name, call(name)]),
    ['getOperation', (request: object) => operations.getOperation(request)],
  ]);
}

type ProtoRoot = {
  resolvePath: (from: string, path: string) => string;
  loadSync(path: string): unknown;
  toJSON(): object;
};

/** The published protos of the service, as the generator packs them with its clients. */
function readProtos(root: ProtoRoot, version: Version): object {
  const folder = join(dirname(load.resolve('google-proto-files/package.json')));
  root.resolvePath = (_from, path) => join(folder, path);
  root.loadSync(`google/apps/events/subscriptions/${version}/subscriptions_service.proto`);
  return root.toJSON();
}

/** As the published configuration has it: 60 s, and repetition of readings on `UNAVAILABLE`. */
const configurationOf = (service: string) => ({
  interfaces: {
    [service]: {
      retry_codes: { non_idempotent: [], unavailable: ['UNAVAILABLE'] },
      retry_params: {
        default: {
          initial_retry_delay_millis: 100,
          retry_delay_multiplier: 1.3,
          max_retry_delay_millis: 60_000,
          initial_rpc_timeout_millis: 60_000,
          rpc_timeout_multiplier: 1,
          max_rpc_timeout_millis: 60_000,
          total_timeout_millis: 600_000,
        },
      },
      methods: Object.fromEntries(
        ['Create', 'Update', 'Delete', 'Reactivate', 'Get', 'List'].map((verb) => [
          `${verb}Subscription${verb === 'List' ? 's' : ''}`,
          {
            timeout_millis: 60_000,
            retry_codes_name: ['Get', 'List'].includes(verb) ? 'unavailable' : 'non_idempotent',
            retry_params_name: 'default',
          },
        ]),
      ),
    },
  },
});

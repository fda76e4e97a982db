import { z } from 'zod';
import { serverMetadataSchema } from './discover.ts';
import type { Vault } from './vault/vault.ts';

/** The result of discovery for an MCP server, so that an expired token needs no new discovery. */
const discoverySchema = z.object({
  metadata: serverMetadataSchema,
  resource: z.string().optional(),
  scopesSupported: z.array(z.string()).readonly().optional(),
  isDpopRequired: z.boolean(),
});

/** Who this client is at one authorization server. */
const registrationSchema = z.object({
  clientId: z.string(),
  clientSecret: z.string().optional(),
  /** As the server registered it. Absent for a configured client or one with a document. */
  authenticationMethod: z.string().optional(),
  /** The one that was registered: some servers take no other port. */
  redirectUri: z.string().optional(),
  /** Whether it comes from dynamic registration, so that the server may forget it. */
  isDynamic: z.boolean(),
});

const grantSchema = z.object({
  /** The client it was granted to: another process may have registered again since. */
  client: registrationSchema,
  accessToken: z.string(),
  tokenType: z.enum(['bearer', 'dpop']),
  /** In milliseconds since the epoch. */
  expiresAt: z.number().optional(),
  refreshToken: z.string().optional(),
  scope: z.array(z.string()).readonly(),
  /** The private key that a DPoP token is bound to. */
  dpopKey: z.record(z.string(), z.unknown()).optional(),
});

export type Registration = Readonly<z.output<typeof registrationSchema>>;
export type Grant = Readonly<z.output<typeof grantSchema>>;

const schemas = {
  /** By origin: the addresses of MCP servers there. */
  origin: z.object({ servers: z.array(z.string()) }),
  /** By the address of the MCP server. */
  server: discoverySchema,
  /** By issuer: credentials of one authorization server are never shown to another. */
  client: registrationSchema,
  /** By issuer and resource. */
  grant: grantSchema,
  /** By the hash of a configured secret: the only issuer that it is sent to. */
  secret: z.object({ issuer: z.string() }),
} as const;

type Kind = keyof typeof schemas;
type RecordOf<K extends Kind> = z.output<(typeof schemas)[K]>;

/** The vault with typed records. A record that cannot be read any more counts as missing. */
export type Records = {
  read<K extends Kind>(kind: K, ...names: string[]): Promise<RecordOf<K> | undefined>;
  write<K extends Kind>(kind: K, record: RecordOf<K>, ...names: string[]): Promise<void>;
  remove(kind: Kind, ...names: string[]): Promise<void>;
};

export function createRecords(vault: Vault): Records {
  const keyOf = (kind: Kind, names: readonly string[]) => [kind, ...names].join(' ');
  return {
    async read(kind, ...names) {
      const text = await vault.get(keyOf(kind, names));
      if (text === undefined) return undefined;
      const record = schemas[kind].safeParse(parseJson(text));
      // The schema was chosen by the kind, which the compiler cannot follow through the table.
      return record.success ? (record.data as RecordOf<typeof kind>) : undefined;
    },
    async write(kind, record, ...names) {
      await vault.set(keyOf(kind, names), JSON.stringify(record));
    },
    async remove(kind, ...names) {
      await vault.delete(keyOf(kind, names));
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

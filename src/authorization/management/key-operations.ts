import { z } from 'zod';
import type { DescribedKey, SigningKeys } from '../keys/signing-keys.ts';
import {
  declareManagement,
  type ServedManagement,
  serveManagement,
  time,
  toTime,
} from './management-operation.ts';
import { nextPageToken, pageQuery, type ReadPage } from './page-request.ts';

const key = z
  .object({
    id: z.string().describe('As tokens name it in `kid`.'),
    algorithm: z
      .enum(['ES256', 'EdDSA'])
      .describe('New keys sign by ES256, the oldest ones by EdDSA.'),
    state: z
      .enum(['next', 'signing', 'retiring'])
      .describe(
        'Only one key signs. The next key, and keys whose tokens may still be valid, are published too.',
      ),
    made: time,
    signs: time.describe('When it begins to sign.'),
    retires: time.describe(
      'When its last token has expired; from then on it is no longer published.',
    ),
  })
  .meta({ id: 'SigningKey', description: 'A key that signs access tokens; never its secret.' });

export const keyOperations = {
  list: declareManagement({
    id: 'keys.list',
    method: 'GET',
    path: '/v1/keys',
    description: 'Lists the keys that sign access tokens.',
    query: z.object(pageQuery),
    answer: z.object({ keys: z.array(key), nextPageToken }).meta({ id: 'ListKeysResponse' }),
  }),
  rotate: declareManagement({
    id: 'keys.rotate',
    method: 'POST',
    path: '/v1/keys:rotate',
    description:
      'Makes a new key: it signs from now on. Tokens that the old key signed are valid until they expire.',
    answer: key,
  }),
};

/** `/v1/keys` (T2). */
export function serveKeys(options: {
  readonly keys: Pick<SigningKeys, 'list' | 'rotateNow'>;
  readonly readPage: ReadPage;
}): ServedManagement[] {
  const { keys, readPage } = options;
  return [
    serveManagement(keyOperations.list, async ({ query }) => {
      const { items, ...next } = await readPage(query, {
        name: ['keys'],
        read: async ({ after, limit }) =>
          keys
            .list()
            .filter(({ generation }) => generation > after.at)
            .slice(0, limit),
        keyOf: ({ generation, kid }) => ({ at: generation, id: kid }),
      });
      return { keys: items.map(describe), ...next };
    }),
    serveManagement(keyOperations.rotate, async () => describe(await keys.rotateNow())),
  ];
}

function describe(described: DescribedKey): z.input<typeof key> {
  const { kid, algorithm, state, madeAt, signsFrom, retiresAt } = described;
  return {
    id: kid,
    algorithm,
    state,
    made: toTime(madeAt),
    signs: toTime(signsFrom),
    retires: toTime(retiresAt),
  };
}

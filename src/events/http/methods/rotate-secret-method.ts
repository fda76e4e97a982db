import { z } from 'zod';
import {
  type Rotation,
  type RotationOptions,
  rotateSigningSecret,
} from '../../delivery/endpoints/rotate-signing-secret.ts';
import { duration, formatTimestamp, text } from '../../model/proto-fields.ts';
import { readMessage } from '../../model/proto-json.ts';
import { parseSigningSecrets, signingSecretForm } from '../../model/signing-secret.ts';
import { writers } from '../../scopes.ts';
import { refuseOfMcp } from '../../subscriptions/get-subscription.ts';
import type { DeliveryMethodsOptions } from './delivery-methods.ts';
import { declareMethod, noQuery, type ServedMethod, serveMethod } from './method.ts';

/** A day, for receivers that are set up by hand. */
const defaultOverlap = 86_400_000;
/** The longest lifetime of a subscription (E6.1). */
const longestOverlap = 604_800_000;

export const rotateRequest = z
  .strictObject(
    {
      signingSecret: text
        .refine((secret) => parseSigningSecrets(secret) !== undefined, signingSecretForm)
        .optional()
        .describe('Input only. The new secret; generated if left out.'),
      overlap: duration
        .refine(
          (length) => length >= 0 && length <= longestOverlap,
          'must be between 0s and 604800s',
        )
        .optional()
        .describe('How long deliveries are also signed with the old secret; 86400s if left out.'),
    },
    'must be an object',
  )
  .meta({ id: 'RotateSecretRequest', description: 'Which secret deliveries are signed with now.' });

export const rotateAnswer = z
  .object({
    signingSecret: z.string().describe('The new secret. Only this answer contains it.'),
    previousExpireTime: z.string().meta({
      format: 'google-datetime',
      description: 'When deliveries are no longer signed with the old secret.',
    }),
  })
  .meta({ id: 'RotateSecretResponse', description: 'The secret that is in force.' });

export const rotateSecret = declareMethod({
  id: 'subscriptions.rotateSecret',
  method: 'POST',
  path: '/v1/{name=subscriptions/*}:rotateSecret',
  parameters: noQuery,
  request: rotateRequest,
  response: rotateAnswer,
  scopes: writers,
  quota: 'writes',
  description: 'Changes the signing secret of a webhook.',
});

/** `POST /v1/subscriptions/{id}:rotateSecret` (E14.41). */
export function rotateSecretMethod(
  options: RotationOptions & Pick<DeliveryMethodsOptions, 'findOwn'>,
): ServedMethod {
  return serveMethod(rotateSecret, async ({ caller, name, readBody }) => {
    const rotation = readRotation(await readBody());
    const subscription = await options.findOwn(caller, name);
    refuseOfMcp(subscription);
    const { id } = subscription;
    return toRotationAnswer(
      await rotateSigningSecret(options, { subscriptionId: id, ...rotation }),
    );
  });
}

/** The body of a rotation, with its defaults. Throws `INVALID_ARGUMENT`. */
export function readRotation(body: unknown): Pick<Rotation, 'signingSecret' | 'overlap'> {
  const { signingSecret, overlap = defaultOverlap } = readMessage(rotateRequest, body);
  return { signingSecret, overlap };
}

export function toRotationAnswer({ secret, until }: { secret: string; until: number }) {
  return { signingSecret: secret, previousExpireTime: formatTimestamp(until) };
}

import type { SigningKey } from '../../../model/signing-secret.ts';

export type SignedContent = {
  readonly id: string;
  /** Whole seconds. */
  readonly timestamp: number;
  readonly body: string;
};

/** The value of `webhook-signature`: one signature for each key, separated by spaces (E10.22, E10.23). */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  keys: readonly SigningKey[],
): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map(({ scheme, sign }) => `${scheme},${sign(content)}`).join(' ');
}

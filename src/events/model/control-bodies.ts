import type { NewEvent } from './event.ts';
import type { Subscription, SuspensionReason } from './subscription.ts';

/** Why a subscription of an MCP client ended although the client did not end it. */
export type Ending = SuspensionReason | 'DELETED';

/** What an MCP client is told of an ending, with the name that the protocol has for the error. */
export type EndingError = {
  readonly kind: 'NotFound' | 'Forbidden';
  readonly data: Readonly<Record<string, string>>;
};

/** The error by which a stream or a `terminated` body explains an ending (M45, M58). */
export function explainEnding(reason: Ending): EndingError {
  if (reason === 'RESOURCE_DELETED') return { kind: 'NotFound', data: { kind: 'event' } };
  const told = reason === 'DELETED' ? 'subscription_deleted' : 'right_withdrawn';
  return { kind: 'Forbidden', data: { reason: told } };
}

/** The codes of errors that bodies repeat. The provisional ones of the SEP are this constant away (M63). */
export const mcpErrorCodes = {
  NotFound: -32_011,
  Forbidden: -32_012,
  ResourceExhausted: -32_013,
  Unsupported: -32_014,
  CallbackEndpointError: -32_015,
} as const;

const prefix = 'tradewind.mcp.control.v1.';

/** Nobody publishes or subscribes to these types: they only carry control bodies to the endpoint. */
function control(given: {
  readonly kind: 'gap' | 'terminated';
  readonly uid: string;
  readonly mark: number;
  readonly now: number;
  readonly body: object;
}): NewEvent {
  const { kind, uid, mark, now, body } = given;
  return {
    // Stable on retries (M46).
    id: `msg_${kind}_${uid}_${mark}`,
    source: '//tradewind/mcp',
    type: `${prefix}${kind}`,
    subject: `//tradewind/mcp/${uid}`,
    occurredAt: now,
    data: { type: kind, ...body },
  };
}

/** The body by which an endpoint learns that its subscription ended (M45). */
export function terminatedBody(ended: {
  readonly subscription: Pick<Subscription, 'uid' | 'revision'>;
  readonly reason: Ending;
  readonly now: number;
}): NewEvent {
  const { subscription, reason, now } = ended;
  const { uid, revision } = subscription;
  const { kind, data } = explainEnding(reason);
  const error = { code: mcpErrorCodes[kind], message: kind, data };
  return control({ kind: 'terminated', uid, mark: revision, now, body: { error } });
}

/** The body by which an endpoint learns that events it never got are gone (M44). */
export function gapBody(gap: {
  readonly uid: string;
  readonly cursor: string;
  readonly mark: number;
  readonly now: number;
}): NewEvent {
  const { uid, cursor, mark, now } = gap;
  return control({ kind: 'gap', uid, mark, now, body: { cursor } });
}

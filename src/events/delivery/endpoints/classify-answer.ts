import { OutboundError } from '../../../kernel/outbound/guard-addresses.ts';
import type { SuspensionReason } from '../../model/subscription.ts';
import type { SendFailure, SendOutcome } from './endpoint.ts';

type WebhookAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** What an answer of a webhook means (E14.27, E2.34 to E2.38): any 2xx accepts, all else is a failure. */
export function classifyAnswer({ status, headers }: WebhookAnswer, now: number): SendOutcome {
  if (status >= 200 && status < 300) return { isAccepted: true, status };
  const retryAfter = parseRetryAfter(headers['retry-after'], now);
  return {
    isAccepted: false,
    status,
    error: `The endpoint answered ${status}.`,
    reason: reasonOfStatus(status),
    isFinal: status === 410,
    isUnreachable: false,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/**
 * What an answer means where an MCP client asked for the events (M43): none ends the subscription, and most refusals end
 * only the delivery of one event.
 */
export function classifyMcpAnswer(answer: WebhookAnswer, now: number): SendOutcome {
  const outcome = classifyAnswer(answer, now);
  if (outcome.isAccepted) return outcome;
  const { status } = answer;
  const isPassing = status < 400 || status >= 500 || [408, 425, 429].includes(status);
  if (isPassing) return { ...outcome, isFinal: false };
  const endsDelivery = status === 410 || status === 413 ? 'at once' : 'after some';
  return { ...outcome, isFinal: false, endsDelivery };
}

/** Classifies a call that got no answer. Rethrows anything but an `OutboundError`, which would be a bug. */
export function classifyFailure(error: unknown): SendFailure {
  if (!(error instanceof OutboundError)) throw error;
  return {
    isAccepted: false,
    error: `${error.code}: ${error.message}`,
    reason: reasonOfCode(error.code),
    isFinal: false,
    isUnreachable: true,
  };
}

function reasonOfStatus(status: number): SuspensionReason {
  if (status === 401 || status === 403) return 'ENDPOINT_PERMISSION_DENIED';
  if (status === 404 || status === 410) return 'ENDPOINT_NOT_FOUND';
  return status === 429 ? 'ENDPOINT_RESOURCE_EXHAUSTED' : 'OTHER';
}

function reasonOfCode(code: OutboundError['code']): SuspensionReason {
  if (code === 'NAME_NOT_FOUND') return 'ENDPOINT_NOT_FOUND';
  return code === 'ADDRESS_REFUSED' ? 'ENDPOINT_PERMISSION_DENIED' : 'OTHER';
}

/** Milliseconds that `Retry-After` asks for: seconds or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

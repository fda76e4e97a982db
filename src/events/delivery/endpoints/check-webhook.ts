import { isLoopbackHost, type Network } from '../../../kernel/model/network.ts';
import { drawText, type Random } from '../../../kernel/model/random.ts';
import type { OutboundResponse } from '../../../kernel/outbound/exchange.ts';
import {
  guardAddresses,
  OutboundError,
  parseOutboundUrl,
} from '../../../kernel/outbound/guard-addresses.ts';
import type { OutboundHttp } from '../../../kernel/outbound/outbound-http.ts';
import { parseJson } from '../../../kernel/text/json.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import { classifyAnswer, classifyFailure } from './classify-answer.ts';
import type { CheckOptions, EndpointProblem } from './endpoint.ts';

export type CheckWebhookOptions = {
  readonly http: OutboundHttp;
  readonly allowNetworks: readonly Network[];
  readonly random: Random;
  /** The name that this server sends when it asks a webhook to agree: the host in the full names of subscriptions. */
  readonly requestOrigin: string;
  /** Origins that get events without being asked to agree (N3). */
  readonly trustedOrigins: readonly string[];
};

/**
 * Finds what is wrong with a webhook at create and reactivate (E14.24). The webhook must agree to be called, see
 * `findRefusal`. For a webhook on loopback or at a trusted origin only an address is checked (E14.25, E14.26), and a name
 * when it is called: it is asked before its first event, or not at all. At reactivate it must answer again if it agreed before.
 */
export async function checkWebhook(
  { uri }: { readonly uri: string },
  options: AskOptions,
): Promise<EndpointProblem | undefined> {
  const { suspendedFor, isAgreed = true } = options;
  if (!isAskedLater(uri, options)) return findRefusal(uri, options);
  return explained(async () => {
    const { hostname } = parseOutboundUrl(uri);
    const { allowNetworks } = options;
    await guardAddresses(hostname.replace(/^\[|\]$/g, ''), { allowNetworks });
    // A webhook that never agreed is not called here: the outcome would tell which ports are open (N3).
    return suspendedFor && isAgreed ? findFailure(uri, options) : undefined;
  });
}

/** Whether a webhook is asked before its first event, if at all, and not at create. */
export function isAskedLater(uri: string, trust: Pick<CheckWebhookOptions, 'trustedOrigins'>) {
  const url = parseUrl(uri);
  return url !== undefined && (isLoopbackHost(url.hostname) || isTrusted(url, trust));
}

/** Whether the operator named the origin as one that need not be asked (N3). */
export function isTrusted(
  { origin }: Pick<URL, 'origin'>,
  { trustedOrigins }: Pick<CheckWebhookOptions, 'trustedOrigins'>,
): boolean {
  return trustedOrigins.includes(origin);
}

/**
 * Asks a webhook to agree to be called: by the handshake of the CloudEvents webhook specification (`OPTIONS`, section
 * 4), or by echoing a challenge that is posted to it as `{"challenge": "…"}`, as plain text or in JSON under the same
 * name. Returns undefined if it agrees. The problem reveals neither what else it answered nor whether anything answers
 * there (N3).
 */
export function findRefusal(
  uri: string,
  options: AskOptions,
): Promise<EndpointProblem | undefined> {
  return explained(async () => {
    const { origin } = parseOutboundUrl(uri);
    try {
      const isAgreed =
        isAgreement(await ask(uri, options), options.requestOrigin) || (await echoes(uri, options));
      return isAgreed ? undefined : notAgreed(origin);
    } catch (error) {
      if (error instanceof OutboundError && !tellingCodes.includes(error.code)) {
        return notAgreed(origin);
      }
      throw error;
    }
  });
}

/** Errors that reveal nothing about what listens at an address. */
const tellingCodes: readonly OutboundError['code'][] = [
  'INVALID_URL',
  'ADDRESS_REFUSED',
  'NAME_NOT_FOUND',
];

async function explained(
  check: () => Promise<EndpointProblem | undefined>,
): Promise<EndpointProblem | undefined> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof OutboundError) return toProblem(error);
    throw error;
  }
}

type AskOptions = CheckWebhookOptions & CheckOptions;

function ask(url: string, { http, requestOrigin, signal }: AskOptions): Promise<OutboundResponse> {
  return http.request({
    method: 'OPTIONS',
    url,
    headers: { 'webhook-request-origin': requestOrigin },
    ...(signal === undefined ? {} : { signal }),
  });
}

function isAgreement({ status, headers }: OutboundResponse, requestOrigin: string): boolean {
  const allowed = headers['webhook-allowed-origin'];
  return isSuccess(status) && (allowed === '*' || allowed === requestOrigin);
}

/**
 * Whether a webhook that is not asked to agree still has the error it is suspended for. Only some statuses count:
 * receivers that do not know `OPTIONS`, or refuse unsigned requests, answer with others that prove nothing.
 */
async function findFailure(uri: string, options: AskOptions): Promise<EndpointProblem | undefined> {
  const answer = await ask(uri, options);
  const { status } = answer;
  const isTelling = [404, 410, 429].includes(status) || (status >= 500 && status !== 501);
  const outcome = classifyAnswer(answer, 0);
  if (outcome.isAccepted || !isTelling || outcome.reason !== options.suspendedFor) return undefined;
  return {
    status: 'FAILED_PRECONDITION',
    reason: 'WEBHOOK_STILL_FAILS',
    message: `The webhook at ${new URL(uri).origin} still answers ${status}: correct it first.`,
    suspensionReason: outcome.reason,
  };
}

async function echoes(uri: string, options: AskOptions): Promise<boolean> {
  const challenge = drawText(options.random, 24);
  const answer = await options.http.request({
    method: 'POST',
    url: uri,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return isSuccess(answer.status) && challengeIn(answer) === challenge;
}

function challengeIn({ body }: OutboundResponse): string | undefined {
  const text = Buffer.from(body).toString('utf8').trim();
  if (!text.startsWith('{')) return text;
  try {
    return Object(parseJson(text)).challenge;
  } catch {
    return undefined; // not JSON is not an echo
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function notAgreed(origin: string): EndpointProblem {
  return {
    status: 'PERMISSION_DENIED',
    reason: 'WEBHOOK_NOT_AGREED',
    message: `The webhook at ${origin} did not agree to be called, or nothing answers there: start it, and have it answer OPTIONS with WebHook-Allowed-Origin or echo the challenge that is posted.`,
    suspensionReason: 'ENDPOINT_PERMISSION_DENIED',
  };
}

function toProblem(error: OutboundError): EndpointProblem {
  const { code, message } = error;
  const { reason: suspensionReason } = classifyFailure(error);
  if (code === 'INVALID_URL') {
    return { status: 'INVALID_ARGUMENT', reason: 'WEBHOOK_URI_INVALID', message, suspensionReason };
  }
  if (code === 'NAME_NOT_FOUND') {
    return { status: 'NOT_FOUND', reason: 'WEBHOOK_NOT_FOUND', message, suspensionReason };
  }
  const reason = code === 'ADDRESS_REFUSED' ? 'WEBHOOK_ADDRESS_REFUSED' : 'WEBHOOK_NOT_AGREED';
  return { status: 'PERMISSION_DENIED', reason, message, suspensionReason };
}

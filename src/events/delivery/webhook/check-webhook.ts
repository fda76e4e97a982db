import { isLoopbackHost } from '../../../kernel/network/is-loopback-host.ts';
import type { Network } from '../../../kernel/network/network.ts';
import type { OutboundHttp } from '../../../kernel/outbound-http/create-outbound-http.ts';
import type { OutboundResponse } from '../../../kernel/outbound-http/exchange.ts';
import { guardAddresses } from '../../../kernel/outbound-http/guard-addresses.ts';
import { OutboundError } from '../../../kernel/outbound-http/outbound-error.ts';
import { parseOutboundUrl } from '../../../kernel/outbound-http/parse-outbound-url.ts';
import type { Random } from '../../../kernel/random.ts';
import type { EndpointProblem } from '../endpoint.ts';

export type CheckWebhookOptions = {
  readonly http: OutboundHttp;
  readonly allowNetworks: readonly Network[];
  readonly random: Random;
  /** The name by which this server asks to be let in: the host of its public URL. */
  readonly requestOrigin: string;
};

/**
 * Whether a webhook agrees to be called (E14.24): by the handshake of the CloudEvents webhook
 * specification (`OPTIONS`, section 4), or by echoing a challenge that is posted to it as
 * `{"challenge": "…"}`, as plain text or in JSON under the same name. Loopback is not asked (E14.25),
 * but must be an address that may be called (E14.26).
 */
export async function checkWebhook(
  { uri }: { readonly uri: string },
  options: CheckWebhookOptions & { readonly signal?: AbortSignal | undefined },
): Promise<EndpointProblem | undefined> {
  try {
    const { hostname, origin } = parseOutboundUrl(uri);
    if (isLoopbackHost(hostname)) {
      await guardAddresses(hostname.replace(/^\[|\]$/g, ''), {
        resolve: async () => [],
        allowNetworks: options.allowNetworks,
      });
      return undefined;
    }
    const isAgreed = (await agreesToHandshake(uri, options)) || (await echoes(uri, options));
    return isAgreed ? undefined : notAgreed(origin);
  } catch (error) {
    if (error instanceof OutboundError) return toProblem(error);
    throw error;
  }
}

type AskOptions = CheckWebhookOptions & { readonly signal?: AbortSignal | undefined };

async function agreesToHandshake(uri: string, options: AskOptions): Promise<boolean> {
  const { status, headers } = await options.http.request({
    method: 'OPTIONS',
    url: uri,
    headers: { 'webhook-request-origin': options.requestOrigin },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const allowed = headers['webhook-allowed-origin'];
  return isSuccess(status) && (allowed === '*' || allowed === options.requestOrigin);
}

async function echoes(uri: string, options: AskOptions): Promise<boolean> {
  const challenge = Buffer.from(options.random.bytes(24)).toString('base64url');
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
    return JSON.parse(text).challenge;
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
    message: `The webhook at ${origin} did not agree to be called: answer OPTIONS with WebHook-Allowed-Origin, or echo the challenge that is posted.`,
    suspensionReason: 'ENDPOINT_PERMISSION_DENIED',
  };
}

function toProblem({ code, message }: OutboundError): EndpointProblem {
  if (code === 'INVALID_URL') {
    const status = 'INVALID_ARGUMENT';
    return { status, reason: 'WEBHOOK_URI_INVALID', message, suspensionReason: 'OTHER' };
  }
  if (code === 'NAME_NOT_FOUND') {
    const suspensionReason = 'ENDPOINT_NOT_FOUND';
    return { status: 'NOT_FOUND', reason: 'WEBHOOK_NOT_FOUND', message, suspensionReason };
  }
  return {
    status: 'PERMISSION_DENIED',
    reason: code === 'ADDRESS_REFUSED' ? 'WEBHOOK_ADDRESS_REFUSED' : 'WEBHOOK_NOT_AGREED',
    message,
    suspensionReason: 'ENDPOINT_PERMISSION_DENIED',
  };
}

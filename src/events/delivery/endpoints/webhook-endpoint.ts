import type { Network } from '../../../kernel/model/network.ts';
import type { Random } from '../../../kernel/model/random.ts';
import { parseOutboundUrl } from '../../../kernel/outbound/guard-addresses.ts';
import { createOutboundHttp, type OutboundHttp } from '../../../kernel/outbound/outbound-http.ts';
import type { Logger } from '../../../kernel/telemetry/logger.ts';
import type { Span, Tracer } from '../../../kernel/telemetry/trace.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { eventsLimits } from '../../limits.ts';
import { parseSigningSecrets } from '../../model/signing-secret.ts';
import { createOutboundThread } from '../create-outbound-thread.ts';
import {
  type CheckWebhookOptions,
  checkWebhook,
  findRefusal,
  isAskedLater,
  isTrusted,
} from './check-webhook.ts';
import { classifyAnswer, classifyFailure, classifyMcpAnswer } from './classify-answer.ts';
import type { EndpointKind, SendFailure, SendOutcome } from './endpoint.ts';
import { callsPerOrigin } from './origin-gates.ts';
import { signWebhook, toWebhookHeaders, toWebhookMarks, writeWebhook } from './write-webhook.ts';

type WebhookKindOptions = CheckWebhookOptions & {
  readonly http: OutboundHttp;
  /** For retries, so that their failures delay no other calls. */
  readonly retryHttp: OutboundHttp;
  readonly clock: Clock;
  /** Set if traces are recorded: each post is a span in the trace of its event (T5). */
  readonly tracer?: Tracer | undefined;
};

/** How many events a post in batch mode may carry. */
const eventsInBatch = 100;

/**
 * Webhooks: signed posts through the guarded client, in the content mode of the endpoint. Secrets
 * are those of the subscription, as `parseSigningSecrets` reads them; each signs until its time.
 */
export function createWebhookKind(options: WebhookKindOptions): EndpointKind<'webhook'> {
  const { http, retryHttp, clock, tracer } = options;

  return {
    check: (endpoint, how) => checkWebhook(endpoint, { ...options, ...how }),
    isAskedLater: ({ uri }) => isAskedLater(uri, options),
    open({ uri, contentMode, mcpId }, { secrets, agreement }) {
      const dated = secrets.map(({ secret, until = Infinity }) => ({
        keys: parseSigningSecrets(secret) ?? [],
        until,
      }));
      const isDated = dated.some(({ until }) => until < Infinity);
      const allKeys = dated.flatMap(({ keys }) => keys);
      const keysAt = (now: number) =>
        isDated ? dated.filter(({ until }) => now < until).flatMap(({ keys }) => keys) : allKeys;
      const url = parseOutboundUrl(uri);
      let isAgreed = agreement?.isGiven || isTrusted(url, options);
      /** No event goes to an address before it agreed (N3). */
      const findObjection = async (
        client: OutboundHttp,
        signal: AbortSignal,
      ): Promise<SendFailure | undefined> => {
        const problem = await findRefusal(uri, { ...options, http: client, signal });
        signal.throwIfAborted();
        if (problem === undefined) {
          await agreement?.keep();
          isAgreed = true;
          return undefined;
        }
        const { message: error, suspensionReason: reason } = problem;
        const fixed = { isAccepted: false, isFinal: false, isUnreachable: false } as const;
        return { ...fixed, error, reason, isUntold: true };
      };
      return {
        origin: url.origin,
        batchSize: contentMode === 'BATCH' ? eventsInBatch : 1,
        hasControlBodies: contentMode === 'MCP',
        async send(batch, signal) {
          const client = batch.isRetry ? retryHttp : http;
          const objection = isAgreed ? undefined : await findObjection(client, signal);
          if (objection !== undefined) return objection;
          const message = writeWebhook(batch, contentMode);
          const { body } = message;
          const marks = toWebhookMarks(batch);
          const keys = keysAt(clock.now());
          const span = tracer?.begin('client', batch.trace);
          const traceparent = span?.header ?? batch.trace;
          const headers = toWebhookHeaders(message, { ...marks, mcpId });
          if (traceparent !== undefined) headers.traceparent = traceparent;
          headers['webhook-signature'] = signWebhook({ ...marks, body }, keys);
          try {
            const answer = await client.request({
              method: 'POST',
              url,
              headers,
              body,
              isBodyIgnored: true,
              // One byte more than is kept shows whether the answer was longer.
              keptBytes: eventsLimits.attemptResponse.value + 1,
              signal,
            });
            const classify = contentMode === 'MCP' ? classifyMcpAnswer : classifyAnswer;
            const outcome = classify(answer, clock.now());
            endSpan(span, { url, outcome });
            return { ...outcome, answer };
          } catch (error) {
            signal.throwIfAborted();
            const outcome = classifyFailure(error);
            endSpan(span, { url, outcome });
            return outcome;
          }
        },
      };
    },
  };
}

function endSpan(
  span: Span | undefined,
  { url, outcome }: { readonly url: URL; readonly outcome: SendOutcome },
): void {
  const { status } = outcome;
  span?.end({
    name: 'POST webhook',
    // Neither path nor query of the address: they may hold a key of the receiver.
    attributes: {
      'http.request.method': 'POST',
      'server.address': url.hostname,
      ...(status === undefined ? {} : { 'http.response.status_code': status }),
    },
    isFailure: !outcome.isAccepted,
  });
}

/** The client that calls webhooks, and one for retries, so that their failures delay no other calls. */
export type WebhookClients = { readonly http: OutboundHttp; readonly retryHttp: OutboundHttp };

export type WebhooksOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  /** Networks, beyond public ones, that webhooks may reach. */
  readonly allowNetworks: readonly Network[];
  /** The host in the full names of subscriptions (E10.2); also the name under which endpoints are asked to agree. */
  readonly sourceHost: string;
  /** Set if traces are recorded. */
  readonly tracer?: Tracer | undefined;
  readonly settings: { readonly webhookTrusted?: readonly string[] | undefined };
  /** Defaults to clients that are made here. */
  readonly webhookClients?: WebhookClients | undefined;
};

/** Opens the clients that call webhooks, and makes the kind of endpoint that uses them. */
export function openWebhooks(options: WebhooksOptions): {
  readonly kind: EndpointKind<'webhook'>;
  /** The client that calls webhooks. */
  readonly http: OutboundHttp;
  close(): Promise<void>;
} {
  const { clock, random, allowNetworks, sourceHost, settings } = options;
  const { http, retryHttp } = options.webhookClients ?? openClients(options);
  return {
    http,
    kind: createWebhookKind({
      http,
      retryHttp,
      clock,
      tracer: options.tracer,
      random,
      allowNetworks,
      requestOrigin: sourceHost,
      trustedOrigins: settings.webhookTrusted ?? [],
    }),
    async close() {
      await Promise.all([http.close(), retryHttp.close()]);
    },
  };
}

function openClients({ allowNetworks, clock, logger }: WebhooksOptions): WebhookClients {
  const limits = { connectionsPerOrigin: callsPerOrigin };
  return {
    http: createOutboundHttp({ allowNetworks, clock, limits, logger }),
    retryHttp: createOutboundThread({ allowNetworks, clock, limits, logger }),
  };
}

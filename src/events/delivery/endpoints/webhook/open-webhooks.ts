import type { Network } from '../../../../kernel/network/network.ts';
import {
  createOutboundHttp,
  type OutboundHttp,
} from '../../../../kernel/outbound-http/create-outbound-http.ts';
import { createOutboundThread } from '../../../../kernel/outbound-http/create-outbound-thread.ts';
import type { Random } from '../../../../kernel/random/random.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import type { Tracer } from '../../../../kernel/trace/tracer.ts';
import type { EndpointKind } from '../endpoint.ts';
import { callsPerOrigin } from '../origin-gates.ts';
import { createWebhookKind } from './webhook-endpoint.ts';

/** The client that calls webhooks, and one for retries, so that their failures delay no other calls. */
export type WebhookClients = { readonly http: OutboundHttp; readonly retryHttp: OutboundHttp };

export type WebhooksOptions = {
  readonly clock: Clock;
  readonly random: Random;
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
  close(): Promise<void>;
} {
  const { clock, random, allowNetworks, sourceHost, settings } = options;
  const { http, retryHttp } = options.webhookClients ?? openClients(options);
  return {
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

function openClients({ allowNetworks, clock }: WebhooksOptions): WebhookClients {
  const limits = { connectionsPerOrigin: callsPerOrigin };
  return {
    http: createOutboundHttp({ allowNetworks, clock, limits }),
    retryHttp: createOutboundThread({ allowNetworks, clock, limits }),
  };
}

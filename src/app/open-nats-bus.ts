import type {
  JetstreamEventBus,
  JetstreamEventBusOptions,
} from '../kernel/event-bus/jetstream-event-bus.ts';

/** The bus between processes, if a NATS server is named. Only then is its driver loaded. */
export async function openNatsBus(
  url: string | undefined,
  options: Omit<JetstreamEventBusOptions, 'url'>,
): Promise<JetstreamEventBus | undefined> {
  if (url === undefined) return undefined;
  const { openJetstreamEventBus } = await import('../kernel/event-bus/jetstream-event-bus.ts');
  return openJetstreamEventBus({ ...options, url });
}

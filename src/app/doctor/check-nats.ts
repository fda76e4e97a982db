import { DomainError } from '../../kernel/domain-error.ts';
import type { Finding } from './finding.ts';

/** Whether the NATS server answers and has JetStream, where one is named. Makes no stream. */
export async function checkNats(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return [];
  const { connectNats } = await import('../../kernel/nats/connect-nats.ts');
  const { openJetstream } = await import('../../kernel/nats/open-jetstream.ts');
  try {
    const nats = await connectNats(url);
    await openJetstream(nats).finally(() => nats.connection.close());
    return [{ check: 'nats', ok: true, detail: 'NATS answers and has JetStream' }];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const mend = 'start the NATS server with JetStream, or correct TRADEWIND_NATS_URL';
    return [{ check: 'nats', ok: false, detail: error.message, mend }];
  }
}

import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type Nats, natsPatience } from './connect-nats.ts';
import { NatsError } from './nats-error.ts';

/** JetStream of a NATS server. Throws `WITHOUT_JETSTREAM`, or `UNREACHABLE` where it does not answer. */
export async function openJetstream({ connection }: Nats): Promise<JetStreamManager> {
  try {
    return await jetstreamManager(connection, { timeout: natsPatience });
  } catch (error) {
    throw toNatsError(error, connection.getServer());
  }
}

function toNatsError(error: unknown, host: string): NatsError {
  const isNotEnabled =
    isApiError(error, JetStreamApiCodes.JetStreamNotEnabledForAccount) ||
    // A class that the driver does not export.
    (error instanceof Error && error.name === 'JetStreamNotEnabled');
  if (isNotEnabled) {
    return new NatsError(
      'WITHOUT_JETSTREAM',
      `NATS at ${host} has no JetStream, which carries events between processes: start it with -js, or unset TRADEWIND_NATS_URL, and the database alone carries them.`,
    );
  }
  const reason = error instanceof Error ? error.message : 'no reason given';
  return new NatsError(
    'UNREACHABLE',
    `JetStream of NATS at ${host} does not answer (${reason}): check its state, and that the credentials of TRADEWIND_NATS_URL may use its API.`,
  );
}

/** Whether JetStream refused something with this code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

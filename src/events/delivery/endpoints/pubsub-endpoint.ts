import type { PubSub } from '@google-cloud/pubsub';
import type { SuspensionReason } from '../../model/subscription.ts';
import { toPubsubMessage } from '../outgoing-event.ts';
import type { EndpointKind, SendFailure } from './endpoint.ts';

type PubsubKind = EndpointKind<'pubsubTopic'> & { close(): Promise<void> };

/** Numbers of google.rpc.Code that say what became of the topic. */
const reasonOf: ReadonlyMap<unknown, SuspensionReason> = new Map<unknown, SuspensionReason>([
  [5, 'ENDPOINT_NOT_FOUND'],
  [7, 'ENDPOINT_PERMISSION_DENIED'],
  [8, 'ENDPOINT_RESOURCE_EXHAUSTED'],
]);
const unavailable = 14;

/**
 * Publishes to Pub/Sub itself (E14.22), in the binary content mode of CloudEvents with the
 * subscription's full name as ordering key (E10.10). The library reads its credentials, or
 * `PUBSUB_EMULATOR_HOST`, from the environment; it is loaded when the first topic is used and has to
 * be installed beside this server.
 */
export function createPubsubKind(): PubsubKind {
  const clients = new Map<string, Promise<PubSub>>();

  const clientOf = (projectId: string): Promise<PubSub> => {
    const opened =
      clients.get(projectId) ??
      import('@google-cloud/pubsub').then(({ PubSub }) => new PubSub({ projectId }));
    clients.set(projectId, opened);
    return opened;
  };
  const topicOf = async (name: string) => {
    const [, project = '', , topic = ''] = name.split('/');
    const client = await clientOf(project);
    return client.topic(topic, { messageOrdering: true, batching: { maxMessages: 1 } });
  };

  return {
    async check({ topic }) {
      try {
        const [exists] = await (await topicOf(topic)).exists();
        if (exists) return undefined;
        return refusal(topic, 'ENDPOINT_NOT_FOUND');
      } catch (error) {
        return refusal(topic, reasonOf.get(codeOf(error)) ?? 'OTHER');
      }
    },
    open: ({ topic: name }) => ({
      origin: 'pubsub',
      batchSize: 1,
      async send({ events }, signal) {
        const topic = await topicOf(name);
        for (const event of events) {
          try {
            await topic.publishMessage(toPubsubMessage(event));
          } catch (error) {
            signal.throwIfAborted();
            // After a failure the library pauses the ordering key until it is resumed.
            topic.resumePublishing(event.source);
            return toFailure(error);
          }
        }
        return { isAccepted: true };
      },
    }),
    async close() {
      for (const client of clients.values()) await (await client).close();
    },
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function toFailure(error: unknown): SendFailure {
  const code = codeOf(error);
  return {
    isAccepted: false,
    error: `Pub/Sub did not take the event (code ${code ?? 'unknown'})`,
    reason: reasonOf.get(code) ?? 'OTHER',
    isFinal: false,
    isUnreachable: code === unavailable,
  };
}

function refusal(topic: string, suspensionReason: SuspensionReason) {
  const isMissing = suspensionReason === 'ENDPOINT_NOT_FOUND';
  const isDenied = suspensionReason === 'ENDPOINT_PERMISSION_DENIED';
  return {
    status: isMissing ? 'NOT_FOUND' : isDenied ? 'PERMISSION_DENIED' : 'UNAVAILABLE',
    reason: isMissing
      ? 'TOPIC_NOT_FOUND'
      : isDenied
        ? 'INVALID_PUBSUB_TOPIC'
        : 'PUBSUB_UNREACHABLE',
    message: isMissing
      ? `The topic ${topic} does not exist in Pub/Sub: make it first.`
      : isDenied
        ? `This server may not publish to ${topic}: give its account the role of a publisher.`
        : `Pub/Sub does not answer for ${topic}: try again later.`,
    suspensionReason,
  } as const;
}

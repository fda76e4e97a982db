import { createBoundedMap } from '../../../kernel/bounded-map.ts';
import { shareNext } from '../../../kernel/cancel/share-next.ts';
import type { Queries } from '../../../kernel/database/database.ts';
import { eventsLimits } from '../../limits.ts';
import { findTopic, type StreamLane } from '../../store/lanes/stream-store.ts';

/** The lanes of a principal's topic as they are now. */
export type FindTopicLanes = (topic: string, principal: string) => Promise<readonly StreamLane[]>;

/** As many as may be read at once. A forgotten one is read by each of its readers for a moment. */
const topicsKept = eventsLimits.allStreams.value;

/** Reads the lanes of a topic once for all of its readers that a wake tells: there may be thousands of them. */
export function shareTopics(database: Queries): FindTopicLanes {
  const reads = createBoundedMap<string, () => Promise<readonly StreamLane[]>>(topicsKept);
  return (topic, principal) => {
    const key = `${principal}\n${topic}`;
    const read = reads.get(key) ?? shareNext(() => findTopic(database, topic, principal));
    reads.set(key, read);
    return read();
  };
}

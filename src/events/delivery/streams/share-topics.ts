import { shareNext } from '../../../kernel/cancel/share-next.ts';
import { createBoundedMap } from '../../../kernel/collections/bounded-map.ts';
import type { Queries } from '../../../kernel/database/database.ts';
import { eventsLimits } from '../../limits.ts';
import { findTopic, type StreamLane } from '../../store/lanes/stream-store.ts';

/** The lanes of a principal's topic as they are now. */
export type FindTopicLanes = (topic: string, principal: string) => Promise<readonly StreamLane[]>;

/** As many as there can be streams. If a topic is dropped from the map, its readers read it separately for a moment. */
const topicsKept = eventsLimits.allStreams.value;

/** Reads the lanes of a topic, of which there may be thousands, once for all readers that a wake notifies. */
export function shareTopics(database: Queries): FindTopicLanes {
  const reads = createBoundedMap<string, () => Promise<readonly StreamLane[]>>(topicsKept);
  return (topic, principal) => {
    const key = `${principal}\n${topic}`;
    const read = reads.get(key) ?? shareNext(() => findTopic(database, topic, principal));
    reads.set(key, read);
    return read();
  };
}

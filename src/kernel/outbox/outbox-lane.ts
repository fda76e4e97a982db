/**
 * How many lanes of a consumer are relayed in parallel. The lane is stored with the event, so
 * changing this number disturbs only the order of events that wait at that moment.
 */
export const outboxLanes = 16;

/** The lane of a key, the same in every process: FNV-1a over the key's UTF-16 units. */
export function outboxLaneOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % outboxLanes;
}

type Lane = { readonly lane: number; readonly subscriptionId: string };

/**
 * The first byte of a place. A place of the older format, JSON with the names of subscriptions, begins with a bracket.
 */
const form = 1;
/** A number is written in groups of seven bits, the lowest first; this bit says that more follow. */
const more = 0x80;

/**
 * The place of a reader in the lanes of a topic, as the id of a server-sent event: opaque, one line, and readable by
 * any process. Lanes are sorted, so each is encoded by its distance from the previous one. The place in one lane takes
 * some five characters, and thousands of them fit into the header that a reader resumes with.
 */
export function formatPlaces(lanes: readonly Lane[], places: ReadonlyMap<number, number>): string {
  const bytes = [form];
  let before = 0;
  for (const { lane } of lanes) {
    writeNumber(bytes, lane - before);
    writeNumber(bytes, places.get(lane) ?? 0);
    before = lane;
  }
  return Buffer.from(bytes).toString('base64url');
}

/** The places by lane; undefined for what no stream gave. */
export function parsePlaces(id: string, lanes: readonly Lane[]): Map<number, number> | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes[0] !== form) return parseNamedPlaces(bytes.toString(), lanes);
  const numbers = readNumbers(bytes.subarray(1));
  if (numbers === undefined || numbers.length % 2 !== 0) return undefined;
  const places = new Map<number, number>();
  let lane = 0;
  for (const [index, number] of numbers.entries()) {
    if (index % 2 === 0) lane += number;
    else places.set(lane, number);
  }
  return places;
}

function parseNamedPlaces(text: string, lanes: readonly Lane[]): Map<number, number> | undefined {
  try {
    const entries: unknown = JSON.parse(text);
    const isPlace = (entry: unknown): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && Number.isSafeInteger(entry[1]);
    if (!Array.isArray(entries) || !entries.every(isPlace)) return undefined;
    const named = new Map(entries);
    return new Map(
      lanes.flatMap(({ lane, subscriptionId }) => {
        const place = named.get(subscriptionId);
        return place === undefined ? [] : [[lane, place]];
      }),
    );
  } catch {
    return undefined;
  }
}

function writeNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= more; rest = Math.floor(rest / more)) bytes.push((rest % more) + more);
  bytes.push(rest);
}

/** Undefined if the last number is incomplete, or one is not a safe integer. */
function readNumbers(bytes: Uint8Array): number[] | undefined {
  const numbers: number[] = [];
  let [number, worth] = [0, 1];
  for (const byte of bytes) {
    number += (byte % more) * worth;
    if (!Number.isSafeInteger(number)) return undefined;
    worth *= more;
    if (byte >= more) continue;
    numbers.push(number);
    [number, worth] = [0, 1];
  }
  return worth === 1 ? numbers : undefined;
}

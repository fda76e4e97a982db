/** Whether the process can serve now, and if not, why: the content of `/health`. */
export type Health = {
  /** Sets or clears the reason for which one part keeps the process from serving. */
  report(part: string, hindrance: string | undefined): void;
  /** The reasons, by part; empty when the process is ready. */
  hindrances(): Readonly<Record<string, string>>;
};

/** A process begins unready: `starting` is a reason until it is cleared. */
export function createHealth(): Health {
  const hindrances = new Map<string, string>([['process', 'starting']]);
  return {
    report(part, hindrance) {
      if (hindrance === undefined) hindrances.delete(part);
      else hindrances.set(part, hindrance);
    },
    hindrances: () => Object.fromEntries(hindrances),
  };
}

import type { Schedule, Step } from './random-schedule.ts';

/** Runs the statements of several sessions, each of which may wait for another. */
export type Engine = {
  /** Sends a statement; `answered` is called once, with rows and count or with the code of an error. */
  send(session: number, step: Step, answered: (answer: string) => void): void;
  /** Resolves when every session that has no answer yet waits for another. */
  settle(): Promise<void>;
  /** Resolves when at least one waiting session has an answer: a deadlock was broken. */
  untilBroken(): Promise<void>;
};

/**
 * Plays a schedule and returns what each session was answered, step by step. It skips a waiting session until
 * that session has its answer. Answers to several sessions in one step are sorted, since their order is undefined.
 */
export async function followSchedule(
  { sessions, order }: Schedule,
  engine: Engine,
): Promise<string[]> {
  const seen: string[] = [];
  const told: string[] = [];
  const next = sessions.map(() => 0);
  const waiting = new Set<number>();
  const left = [...order];

  const gather = () => seen.push(told.splice(0).sort().join(' | '));
  while (left.length > 0 || waiting.size > 0) {
    const turn = left.findIndex((session) => !waiting.has(session));
    if (turn < 0) {
      await engine.untilBroken();
    } else {
      const [session = 0] = left.splice(turn, 1);
      const step = sessions[session]?.[next[session]!++];
      if (step === undefined) continue;
      waiting.add(session);
      engine.send(session, step, (answer) => {
        waiting.delete(session);
        told.push(`${session}: ${answer}`);
      });
    }
    await engine.settle();
    gather();
  }
  return seen;
}

/** An answer as text that both engines write alike. */
export function writeAnswer(
  command: string,
  rows: readonly unknown[],
  rowCount: number | null,
): string {
  const isEnd = /BEGIN|COMMIT|ROLLBACK/.test(command);
  return `${command} ${isEnd ? '' : rowCount} ${JSON.stringify(rows)}`;
}

import { eventsLimits } from '../../limits.ts';
import type { Attempt } from '../../model/logged-delivery.ts';
import type { AnswerBody } from '../endpoints/endpoint.ts';

/** An attempt with its endpoint's answer, of which more may arrive until the attempt is written. */
export type NotedAttempt = Omit<Attempt, 'response' | 'isResponseCut'> & {
  answer?: AnswerBody | undefined;
};

/** Attempts of a lane that are yet to be written, in order. */
export type NotedAttempts = {
  /** Returns how many there are now. */
  add(attempt: NotedAttempt): number;
  readonly size: number;
  /** The attempts as the log stores them, with as much of the answers as has arrived. */
  toLog(): Attempt[];
};

const longestKept = eventsLimits.attemptResponse.value;

/** Keeps the beginnings of answers up to a total size; further attempts are noted without an answer (K3). */
export function createNotedAttempts(): NotedAttempts {
  const noted: NotedAttempt[] = [];
  let room: number = eventsLimits.attemptResponses.value;

  return {
    add(attempt) {
      const { answer } = attempt;
      if (answer !== undefined) {
        // An answer that is still arriving counts with the most that is kept of one.
        const size = answer.isOver ? answer.body.length : longestKept;
        if (size > 0 && size <= room) room -= size;
        else attempt.answer = undefined;
      }
      return noted.push(attempt);
    },
    get size() {
      return noted.length;
    },
    toLog: () => noted.map(toAttempt),
  };
}

function toAttempt(noted: NotedAttempt): Attempt {
  if (noted.answer === undefined) return noted;
  const { answer, ...attempt } = noted;
  const { body } = answer;
  const response = Buffer.from(body.subarray(0, longestKept)).toString();
  return { ...attempt, response, isResponseCut: body.length > longestKept };
}

import { eventsLimits } from '../../limits.ts';
import type { Attempt } from '../../model/logged-delivery.ts';
import type { AnswerBody } from '../endpoints/endpoint.ts';

/** An attempt with what its endpoint answered, of which more may come until it is written down. */
export type NotedAttempt = Omit<Attempt, 'response' | 'isResponseCut'> & {
  answer?: AnswerBody | undefined;
};

/** Attempts of a lane that are yet to be written, in order. */
export type NotedAttempts = {
  /** Returns how many there are now. */
  add(attempt: NotedAttempt): number;
  readonly size: number;
  /** As they are written, with what has come of the answers by now. */
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
        // What is still coming counts as whole.
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

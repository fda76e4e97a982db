import type { AnswerOperation } from '../http/mount/answer-operation.ts';
import type { Mount } from '../http/mount/mount.ts';
import { StatusError } from './status-error.ts';
import { toStoreStatus, writeEdgeRefusal, writeStatusError } from './write-status-error.ts';

/**
 * The part of a mount that writes refusals as google.rpc.Status: those that `answer` throws, and those of the
 * edge on its paths. Any other error goes on to the edge, which has its own refusal written by `writeRefusal`.
 */
export function answerWithStatus(
  answer: AnswerOperation,
  domain: string,
): Required<Pick<Mount, 'answer' | 'writeRefusal'>> {
  return {
    async answer(call) {
      try {
        return await answer(call);
      } catch (error) {
        const refusal = error instanceof StatusError ? error : toStoreStatus(error);
        if (refusal === undefined) throw error;
        return writeStatusError(refusal, { request: call.request, domain });
      }
    },
    writeRefusal: (error, { request, requestId }) => {
      const { method, address } = request;
      const headers = { get: (name: string) => request.header(name) ?? null };
      return writeEdgeRefusal(error, {
        request: { method, url: address.href, headers },
        domain,
        requestId,
      });
    },
  };
}

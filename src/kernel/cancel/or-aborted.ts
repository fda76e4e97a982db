import { onAbort } from './on-abort.ts';

/**
 * What the promise settles with, unless the signal fires before: then it rejects with the signal's reason
 * at once, and what becomes of the promise is nobody's concern any more. Ends no work: whoever does the
 * work heeds the signal by itself. Leaves no listener behind [F22].
 */
export async function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop();
  }
}

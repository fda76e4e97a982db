import { onAbort } from './on-abort.ts';

/**
 * Settles as the promise does, unless the signal fires before: then it rejects with the signal's reason at once,
 * and the promise is ignored. It cancels no work: the work itself must react to the signal. Leaves no listener
 * behind [F22].
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

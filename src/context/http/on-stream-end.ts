/** Calls back once an answer is over: a stream when it ends or is cancelled, any other at once. */
export function onStreamEnd(response: Response, callback: () => void): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || response.body === null) {
    callback();
    return response;
  }
  const watched = new TransformStream({ flush: callback, cancel: callback });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(watched), { status, headers });
}

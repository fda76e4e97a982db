import { createServer, type RequestListener } from 'node:http';

// The endpoints of the measurement of latency, in a process of their own: one that takes every post and notes
// when it came, and one that takes it and never answers. Told `tell`, it tells what came since.
export type Receipt = readonly [id: string, at: number];

const receipts: Receipt[] = [];
const healthy = await listen((request, response) => {
  receipts.push([String(request.headers['ce-id']), Number(process.hrtime.bigint()) / 1e6]);
  request.resume();
  response.writeHead(204).end();
});
const silent = await listen((request) => request.resume());
process.send?.({ healthy, silent });
process.on('message', () => process.send?.(receipts.splice(0)));

function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  return new Promise((resolve) => {
    server.listen(0, '0.0.0.0', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
    });
  });
}

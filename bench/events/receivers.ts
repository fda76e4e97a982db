import { createServer } from 'node:http';
import { listen } from './listen.ts';

// The endpoints of the measurement of latency that take every post and note when it came. Told `tell`, it tells
// what came since.
export type Receipt = readonly [id: string, at: number];

const receipts: Receipt[] = [];
const server = createServer((request, response) => {
  receipts.push([String(request.headers['ce-id']), Number(process.hrtime.bigint()) / 1e6]);
  request.resume();
  response.writeHead(204).end();
});
process.on('message', () => process.send?.(receipts.splice(0)));
listen(server);

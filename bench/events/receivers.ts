import { createServer } from 'node:http';
import { listen } from './listen.ts';

// The healthy endpoints of the latency benchmark: they accept every post and record its time. On any message from the
// parent process they send the receipts since the last one.
export type Receipt = readonly [id: string, at: number];

const receipts: Receipt[] = [];
const server = createServer((request, response) => {
  receipts.push([String(request.headers['ce-id']), Number(process.hrtime.bigint()) / 1e6]);
  request.resume();
  response.writeHead(204).end();
});
process.on('message', () => process.send?.(receipts.splice(0)));
listen(server);

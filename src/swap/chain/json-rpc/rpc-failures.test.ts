import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../../../tests/support/hostile-texts.ts';
import { longestStall } from '../../../../tests/support/longest-stall.ts';
import { classifyRpcError, revertData } from './rpc-failures.ts';

describe('classifyRpcError', () => {
  it.each([
    ['execution', 3, 'execution reverted: STF'],
    ['execution', -32000, 'execution reverted'],
    ['execution', -32000, 'out of gas'],
    ['execution', -32000, 'invalid opcode: opcode 0xfe not defined'],
    ['execution', -32000, 'max code size exceeded'],
    ['execution', -32000, 'max initcode size exceeded: code size 50000 limit 49152'],
    ['execution', -32000, 'intrinsic gas too low: have 1, want 21000'],
    ['execution', -32000, 'insufficient funds for gas * price + value'],
    ['execution', -32015, 'VM execution error.'],
    ['execution', -32603, 'VM Exception while processing transaction: revert'],
    ['execution', -32000, 'StackUnderflow'],
    ['unknown-block', -32000, 'header not found'],
    ['unknown-block', -32000, 'header for hash not found'],
    ['unknown-block', -32000, 'hash 0xab is not currently canonical'],
    ['unknown-block', -32000, 'missing trie node 0xab (path ) state 0xcd is not available'],
    ['unknown-block', -32001, 'Resource not found.'],
    ['unknown-block', -32000, 'Unknown block'],
    ['unknown-block', -32000, 'Received invalid block tag 85. Latest block number is 0'],
    ['rate-limited', -32005, 'daily request count exceeded, request rate limited'],
    ['rate-limited', 429, 'Too Many Requests'],
    ['rate-limited', -32000, "You've exceeded the rate limit of your current plan."],
    ['rate-limited', -32029, 'Too many requests, reason: call rate limit exhausted'],
    ['too-large', -32003, 'response size exceeded'],
    ['too-large', -32000, 'response too large'],
    ['too-large', -32600, 'batch too large'],
    ['too-large', -32000, 'execution aborted (timeout = 5s)'],
    ['invalid-params', -32602, 'too many arguments, want at most 2'],
    ['invalid-params', -32602, 'invalid argument 1: json: cannot unmarshal object'],
    ['other', -32601, 'the method eth_call does not exist'],
    ['other', -32603, 'Internal error'],
  ] as const)('reads as %s the error %i "%s"', (kind, code, message) => {
    expect(classifyRpcError({ code, message })).toBe(kind);
  });

  it('takes time linear in the text, whatever a hostile endpoint writes [F4]', async () => {
    const quoted = [
      'request per ',
      'requests count ',
      'batch ',
      'exceeds ',
      'block ',
      'state ',
    ].map((words) => words.repeat(120_000 / words.length));
    const classify = (message: string) => classifyRpcError({ code: -32000, message });
    expect(await longestStall([...quoted, ...hostileTexts(120_000)], classify)).toBeLessThan(500);
  });
});

describe('revertData', () => {
  it.each([
    ['0xdeadbeef', '0xdeadbeef'],
    ['Reverted 0xdeadbeef', '0xdeadbeef'],
    [{ data: '0xdeadbeef', message: 'reverted' }, '0xdeadbeef'],
    [{ data: { data: '0xdeadbeef' } }, '0xdeadbeef'],
    ['out of luck', '0x'],
    ['0xabc', '0x'],
    [undefined, '0x'],
    [null, '0x'],
    [7, '0x'],
  ])('finds in %j the bytes %s', (data, found) => {
    expect(revertData(data)).toBe(found);
  });

  it('takes time linear in the data and survives data in data without end [F4]', async () => {
    expect(await longestStall(hostileTexts(1_000_000), (text) => revertData(text))).toBeLessThan(
      500,
    );
    const deep = JSON.parse(`${'{"data":'.repeat(100_000)}"0x"${'}'.repeat(100_000)}`);
    expect(revertData(deep)).toBe('0x');
  });
});

import { html, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { after } from '../clock.ts';
import { formatAmount } from '../format.ts';
import { InSight, Problem, Waiting } from '../parts/outcome.ts';
import { CopyBox } from '../parts/text.ts';
import {
  developmentChainId,
  nativeAddress,
  type RoutedAnswer,
  type Transaction,
} from './quote-answer.ts';

/** Executes the quote on the development chain, and shows what was received against what was quoted (K1). */
export function ExecutionCard({ quote }: { quote: RoutedAnswer }): VNode {
  const [done, setDone] = useState<{ execution?: Execution; error?: unknown; isWaiting: boolean }>({
    isWaiting: false,
  });
  const execute = async () => {
    if (done.isWaiting) return;
    setDone({ isWaiting: true });
    const outcome = await executeQuote(quote).then(
      (execution) => ({ execution }),
      (error: unknown) => ({ error }),
    );
    setDone({ ...outcome, isWaiting: false });
  };
  const { execution, error, isWaiting } = done;
  return html`<section class="card" aria-labelledby="execution-title"><h2 id="execution-title">Try it on the development chain</h2>
    <p class="hint">The chain holds nothing of value and signs for its test accounts itself.</p>
    <p><button class="main" aria-disabled=${isWaiting} onClick=${execute}>Execute with a test account</button></p>
    ${isWaiting && html`<${Waiting}>Sending ${(quote.approval?.length ?? 0) + 1} transaction${quote.approval?.length ? 's' : ''} …<//>`}
    <${Problem} error=${error} />
    ${execution && html`<${Outcome} quote=${quote} execution=${execution} />`}</section>`;
}

function Outcome({ quote, execution }: { quote: RoutedAnswer; execution: Execution }): VNode {
  const { tokenTo, expectedAmountOut } = quote;
  const amount = (units: bigint | string) =>
    `${formatAmount(String(units), tokenTo.decimals)} ${tokenTo.symbol}`;
  const difference = execution.received - BigInt(expectedAmountOut);
  return html`<${InSight}><div role="status"><dl class="figures">
    <div><dt>Received</dt><dd>${amount(execution.received)}</dd></div>
    <div><dt>Quoted</dt><dd>${amount(expectedAmountOut)}</dd></div>
    <div><dt>Difference</dt><dd>${difference === 0n ? 'none, to the last unit' : `${difference > 0n ? '+' : '−'}${amount(difference < 0n ? -difference : difference)}`}</dd></div>
    <div><dt>Gas used</dt><dd>${execution.gasUsed.toLocaleString()}</dd></div></dl>
    <h3>Transaction</h3><${CopyBox} label="Hash of the transaction" text=${execution.transactionHash} />
    <p class="hint">The swap has moved the price: get a new quote before you execute again.</p></div><//>`;
}

/** The result of executing a quote on the development chain. */
type Execution = {
  readonly transactionHash: string;
  /** In smallest units of the token bought; gas is not subtracted. */
  readonly received: bigint;
  readonly gasUsed: bigint;
};

type Receipt = {
  readonly status: string;
  readonly transactionHash: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
};

/** `balanceOf(address)` of ERC-20. */
const balanceOf = '0x70a08231';
const pollMs = 100;
const mostPolls = 100;

/** The accounts whose keys the development chain itself holds. */
export function testAccounts(): Promise<readonly string[]> {
  return askChain('eth_accounts', []);
}

/**
 * Sends the approvals and the transaction of a quote from a test account, for which the development chain
 * signs itself, and measures the output received. Throws if one of them reverts.
 */
async function executeQuote({ tx, approval = [], tokenTo }: RoutedAnswer): Promise<Execution> {
  if (tx === undefined) throw new Error('The quote has no transaction: there is nothing to send.');
  for (const call of approval) await send(call);
  const balance = async (): Promise<bigint> => {
    const call = { to: tokenTo.address, data: balanceOf + tx.from.slice(2).padStart(64, '0') };
    return tokenTo.address === nativeAddress
      ? BigInt(await askChain<string>('eth_getBalance', [tx.from, 'latest']))
      : BigInt(await askChain<string>('eth_call', [call, 'latest']));
  };
  const before = await balance();
  const { transactionHash, gasUsed, effectiveGasPrice } = await send(tx);
  const paid = tokenTo.address === nativeAddress ? BigInt(gasUsed) * BigInt(effectiveGasPrice) : 0n;
  const received = (await balance()) - before + paid;
  return { transactionHash, received, gasUsed: BigInt(gasUsed) };
}

async function send({ from, to, data, value, gas, gasPrice }: Transaction): Promise<Receipt> {
  const hex = (number: string | number | undefined) =>
    number === undefined ? undefined : `0x${BigInt(number).toString(16)}`;
  const call = { from, to, data, value: hex(value), gas: hex(gas), gasPrice: hex(gasPrice) };
  const hash = await askChain<string>('eth_sendTransaction', [call]);
  for (let polls = 0; polls < mostPolls; polls += 1) {
    const receipt = await askChain<Receipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt?.status === '0x1') return receipt;
    if (receipt !== null) throw new Error(`The transaction ${hash} reverted: ask for a new quote.`);
    await new Promise<void>((resolve) => after(pollMs, resolve));
  }
  throw new Error(`The transaction ${hash} is in no block yet.`);
}

async function askChain<T>(method: string, params: readonly unknown[]): Promise<T> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await callApi<{ result: T; error?: { message: string } }>(
    `/rpc/${developmentChainId}`,
    { method: 'POST', body },
  );
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return answer.result;
}

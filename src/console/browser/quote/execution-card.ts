import { html, useState, type VNode } from '../../vendor/preact.js';
import { formatAmount } from '../amount.ts';
import { CopyBox } from '../parts/copy-box.ts';
import { InSight } from '../parts/outcome/in-sight.ts';
import { Problem } from '../parts/outcome/problem.ts';
import { Waiting } from '../parts/outcome/waiting.ts';
import { type Execution, executeQuote } from './execute-quote.ts';
import type { RoutedAnswer } from './quote-answer.ts';

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

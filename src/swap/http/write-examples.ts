import type { z } from 'zod';
import type { examplesData } from './answer-schemas.ts';
import type { ExampleTrade } from './example-trade.ts';

export type Examples = z.input<typeof examplesData>['examples'];

/**
 * Programs that ask for one quote, ready to run (Q10): in a shell, by Node.js 24, by Python 3 and, after
 * `rustc`, by themselves. None needs a package. `publicUrl` is the address they call.
 */
export function writeExamples(publicUrl: URL, trade: ExampleTrade): Examples {
  const { chainId, tokenIn, tokenOut, amount, sender } = trade;
  const endpoint = `${publicUrl.origin}/v1/swap/${chainId}`;
  const query = { tokenIn, tokenOut, amount: amount.toString(), maxSlippage: '0.005', sender };
  const url = `${endpoint}?${new URLSearchParams(query)}`;
  return {
    curl: `curl --fail-with-body --silent --show-error '${url}'\n`,
    typescript: typescript(endpoint, query),
    python: python(endpoint, query),
    rust: rust(url),
  };
}

type Query = Readonly<Record<string, string>>;

/** Every value is an address or a number, so each quotes the same way in all four languages. */
function lines(query: Query, write: (name: string, value: string) => string): string {
  return Object.entries(query)
    .map(([name, value]) => `  ${write(name, value)},`)
    .join('\n');
}

function typescript(endpoint: string, query: Query): string {
  return `const query = new URLSearchParams({
${lines(query, (name, value) => `${name}: '${value}'`)}
});
const response = await fetch(\`${endpoint}?\${query}\`);
const answer = await response.json();
if (!answer.success) throw new Error(\`\${answer.error.code}: \${answer.error.message}\`);

const { status, expectedAmountOut, tokenTo, tx } = answer.data;
console.log(status, expectedAmountOut, tokenTo.symbol);
console.log('to sign:', tx);
`;
}

function python(endpoint: string, query: Query): string {
  return `import json
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

query = urlencode({
${lines(query, (name, value) => `"${name}": "${value}"`)}
})
try:
    with urlopen(f"${endpoint}?{query}") as response:
        quote = json.load(response)["data"]
except HTTPError as refusal:
    raise SystemExit(json.load(refusal)["error"]["message"])

print(quote["status"], quote["expectedAmountOut"], quote["tokenTo"]["symbol"])
print("to sign:", quote["tx"])
`;
}

/** Rust's standard library has neither TLS nor JSON: curl carries the request, and the answer is printed as it is. */
function rust(url: string): string {
  return `use std::process::{exit, Command};

fn main() {
    let url = "${url}";
    let answer = Command::new("curl")
        .args(["--fail-with-body", "--silent", "--show-error", url])
        .output()
        .expect("curl is on the machine");
    println!("{}", String::from_utf8_lossy(&answer.stdout));
    exit(answer.status.code().unwrap_or(1));
}
`;
}

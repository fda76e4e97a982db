import type { z } from 'zod';
import type { ChainDeployment, DevelopmentChain } from '../deployments/deployment.ts';
import { publicDeployments } from '../deployments/public-deployments.ts';
import { type Address, nativeToken, parseAddress } from '../model.ts';
import type { examplesData } from './operations/answer-schemas.ts';

type Examples = z.input<typeof examplesData>['examples'];

/**
 * Programs that ask for one quote, ready to run (Q10): in a shell, with Node.js 24, with Python 3, and in Rust after
 * `rustc`. None needs a package; the one for the shell needs jq to send. `publicUrl` is the address they call. If the
 * environment variable `SIGNER` names a JSON-RPC endpoint that holds the key of the sender, they send the approvals and
 * the transaction through it and wait until they are in a block (Q29).
 */
export function writeExamples(publicUrl: URL, trade: ExampleTrade): Examples {
  const { chainId, tokenIn, tokenOut, amount, sender } = trade;
  const endpoint = `${publicUrl.origin}/v1/swap/${chainId}`;
  const query = { tokenIn, tokenOut, amount: amount.toString(), maxSlippage: '0.005', sender };
  const url = `${endpoint}?${new URLSearchParams(query)}`;
  return {
    curl: curl(url),
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

function curl(url: string): string {
  return `set -e
quote=$(curl --fail-with-body --silent --show-error '${url}')
printf '%s\\n' "$quote"

# To send it, name a JSON-RPC endpoint that holds the key of the sender; this part needs jq.
[ -n "$SIGNER" ] || exit 0
rpc() {
  curl --fail --silent --show-error "$SIGNER" --header 'Content-Type: application/json' \\
    --data "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"$1\\",\\"params\\":[$2]}" |
    jq 'if .error then error(.error.message) else .result end'
}
send() {
  call=$(printf '%s' "$1" | jq --compact-output '{from, to, data}')
  value=$(printf '0x%x' "$(printf '%s' "$1" | jq --raw-output '.value // "0"')")
  hash=$(rpc eth_sendTransaction "$(printf '%s' "$call" | jq --compact-output --arg v "$value" '. + {value: $v}')")
  receipt=null
  while [ "$receipt" = null ]; do
    receipt=$(rpc eth_getTransactionReceipt "$hash")
    [ "$receipt" != null ] || sleep 1
  done
  [ "$(printf '%s' "$receipt" | jq --raw-output .status)" = 0x1 ] || { echo "reverted: $hash" >&2; exit 1; }
  echo "in a block: $hash"
}
printf '%s' "$quote" | jq --compact-output '.data.approval[]?, .data.tx' > calls.json
while read -r call; do send "$call"; done < calls.json
`;
}

function typescript(endpoint: string, query: Query): string {
  return `const query = new URLSearchParams({
${lines(query, (name, value) => `${name}: '${value}'`)}
});
const response = await fetch(\`${endpoint}?\${query}\`);
const answer = await response.json();
if (!answer.success) throw new Error(\`\${answer.error.code}: \${answer.error.message}\`);

const { status, expectedAmountOut, tokenTo, tx, approval = [] } = answer.data;
console.log(status, expectedAmountOut, tokenTo.symbol);
console.log('to sign:', tx);

// To send it, name a JSON-RPC endpoint that holds the key of the sender.
const signer = process.env.SIGNER;
async function rpc(method: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  const { result, error } = await (await fetch(signer!, { method: 'POST', headers, body })).json();
  if (error) throw new Error(error.message);
  return result;
}
const hex = (amount = '0') => \`0x\${BigInt(amount).toString(16)}\`;
for (const { from, to, data, value, gas } of signer ? [...approval, tx] : []) {
  const limit = gas ? { gas: hex(gas) } : {};
  const hash = await rpc('eth_sendTransaction', [{ from, to, data, value: hex(value), ...limit }]);
  let receipt = null;
  while (!(receipt = await rpc('eth_getTransactionReceipt', [hash]))) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  if (receipt.status !== '0x1') throw new Error(\`reverted: \${hash}\`);
  console.log('in a block:', hash);
}
`;
}

function python(endpoint: string, query: Query): string {
  return `import json
import os
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

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

# To send it, name a JSON-RPC endpoint that holds the key of the sender.
signer = os.environ.get("SIGNER")


def rpc(method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    with urlopen(Request(signer, body, {"Content-Type": "application/json"})) as response:
        answer = json.load(response)
    if "error" in answer:
        raise SystemExit(answer["error"]["message"])
    return answer["result"]


for call in [*quote.get("approval", []), quote["tx"]] if signer else []:
    fields = {name: call[name] for name in ("from", "to", "data")}
    fields["value"] = hex(int(call.get("value", "0")))
    if "gas" in call:
        fields["gas"] = hex(int(call["gas"]))
    transaction = rpc("eth_sendTransaction", fields)
    while (receipt := rpc("eth_getTransactionReceipt", transaction)) is None:
        time.sleep(1)
    if receipt["status"] != "0x1":
        raise SystemExit(f"reverted: {transaction}")
    print("in a block:", transaction)
`;
}

/** Rust's standard library has neither TLS nor JSON: curl carries the requests, and fields are found by their names. */
function rust(url: string): string {
  return `use std::{env, process::{exit, Command}, thread::sleep, time::Duration};

fn curl(args: &[&str]) -> String {
    let answer = Command::new("curl")
        .args(["--fail-with-body", "--silent", "--show-error"])
        .args(args)
        .output()
        .expect("curl is on the machine");
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    if !answer.status.success() {
        println!("{text}");
        exit(answer.status.code().unwrap_or(1));
    }
    text
}

/// The text of a field; everything that is needed here is a text without escapes.
fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let begin = json.find(&format!("\\"{name}\\":\\""))? + name.len() + 4;
    json[begin..].split('"').next()
}

fn rpc(signer: &str, method: &str, params: &str) -> String {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":[{params}]}}"#);
    curl(&[signer, "--header", "Content-Type: application/json", "--data", &body])
}

fn send(signer: &str, call: &str) {
    let text = |name| field(call, name).expect(name);
    let value: u128 = field(call, "value").unwrap_or("0").parse().expect("an amount");
    let (from, to, data) = (text("from"), text("to"), text("data"));
    let params = format!(r#"{{"from":"{from}","to":"{to}","data":"{data}","value":"{value:#x}"}}"#);
    let sent = rpc(signer, "eth_sendTransaction", &params);
    let hash = field(&sent, "result").unwrap_or_else(|| panic!("{sent}"));
    loop {
        let receipt = rpc(signer, "eth_getTransactionReceipt", &format!("\\"{hash}\\""));
        match field(&receipt, "status") {
            Some("0x1") => return println!("in a block: {hash}"),
            Some(_) => panic!("reverted: {hash}"),
            None => sleep(Duration::from_secs(1)),
        }
    }
}

fn main() {
    let quote = curl(&["${url}"]);
    println!("{quote}");
    // To send it, name a JSON-RPC endpoint that holds the key of the sender.
    let Ok(signer) = env::var("SIGNER") else { return };
    if let Some(list) = quote.split("\\"approval\\":[").nth(1) {
        let calls = list.split(']').next().unwrap_or("");
        calls.split("},").for_each(|call| send(&signer, call));
    }
    send(&signer, quote.split("\\"tx\\":").nth(1).expect("a transaction"));
}
`;
}

/** A trade that this server quotes, for samples and pages. */
export type ExampleTrade = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amount: bigint;
  readonly sender: Address;
};

// A quote works for any address; this one shows by its form that it is nobody's.
const nobody = parseAddress('0x1111111111111111111111111111111111111111');

/**
 * A trade that this server quotes: one native token for a base token, on the first of its chains. If it
 * serves none itself, a trade that its upstream is likely to quote.
 */
export function exampleTrade(
  deployments: readonly ChainDeployment[],
  development: DevelopmentChain | undefined,
): ExampleTrade {
  for (const { chainId, wrappedNative, baseTokens } of [...deployments, ...publicDeployments]) {
    const tokenOut = baseTokens.find((token) => token !== wrappedNative);
    if (wrappedNative === undefined || tokenOut === undefined) continue;
    const isOurs = chainId === development?.deployment.chainId;
    const sender = isOurs ? development.account : nobody;
    return { chainId, tokenIn: nativeToken, tokenOut, amount: 10n ** 18n, sender };
  }
  throw new Error('The registry holds no chain with a native token and another');
}

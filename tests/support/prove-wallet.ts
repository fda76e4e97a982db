import type { PrivateKeyAccount } from 'viem';
import type { TestAuthorization } from './open-test-authorization.ts';
import { readForm, type TestBrowser, type TestPage } from './test-browser.ts';

/** Signs the message of a page with a wallet and sends the signature, as the page's script does. */
export async function proveWallet(
  service: Pick<TestAuthorization, 'request'>,
  by: {
    readonly browser: TestBrowser;
    readonly page: TestPage;
    readonly wallet: Pick<PrivateKeyAccount, 'address' | 'signMessage'>;
  },
): Promise<TestPage & { readonly message: string }> {
  const { browser, page, wallet } = by;
  const { action, hidden } = readForm(page, 'wallet');
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await service.request(`${action}/challenge`, {
    method: 'POST',
    headers: { Cookie },
    body: new URLSearchParams({ ...hidden, address: wallet.address, chain_id: '1' }),
  });
  const { nonce = '', message = '' } = (await answer.json()) as Record<string, string>;
  const signature = await wallet.signMessage({ message });
  return { ...(await browser.submit(page, 'wallet', { nonce, signature })), message };
}

import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { ownerPassword } from '../support/open-test-authorization.ts';
import { startClient, startPages, useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { describe, test } = testsWith('chromium');

const openPage = useChromium();

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('owner');
  await page.getByLabel('Password').fill(ownerPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function allow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/callback/);
}

describe('in a real browser', () => {
  test('a person signs in, allows some of what was asked, and the client gets its token', async () => {
    const { url } = await startPages();
    const client = await startClient(url);
    const page = await openPage();
    const asked = client.ask();
    await page.goto(asked.url);
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('no account with this name');
    await page.getByLabel('Password').fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Create, change and delete subscriptions for you').uncheck();
    await allow(page);
    const code = String(client.answers()[0]?.searchParams.get('code'));
    const tokens = await client.redeem(code, asked.codeVerifier);
    expect(tokens.scope).toBe('swap.read subscriptions.read');
  });

  test('a person says no, and the client is told', async () => {
    const { url } = await startPages();
    const client = await startClient(url);
    const page = await openPage();
    await page.goto(client.ask().url);
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(/\/callback/);
    expect(client.answers()[0]?.searchParams.get('error')).toBe('access_denied');
  });

  test('two tabs that were open at once both finish [A11]', async () => {
    const { url } = await startPages();
    const client = await startClient(url);
    const one = await openPage();
    const other = await one.context().newPage();
    await one.goto(client.ask().url);
    await other.goto(client.ask().url);
    await signIn(one);
    await one.getByRole('button', { name: 'Allow' }).waitFor();
    await signIn(other);
    await other.getByRole('button', { name: 'Allow' }).waitFor();
    await allow(one);
    await allow(other);
    const codes = client.answers().map(({ searchParams }) => searchParams.get('code'));
    expect(new Set(codes).size).toBe(2);
  });

  test('a person revokes what they allowed, and its tokens are worthless', async () => {
    const { url } = await startPages();
    const client = await startClient(url);
    const page = await openPage();
    const asked = client.ask();
    await page.goto(asked.url);
    await signIn(page);
    await allow(page);
    const code = String(client.answers()[0]?.searchParams.get('code'));
    const { refresh_token } = await client.redeem(code, asked.codeVerifier);
    await page.goto(`${url}/account`);
    // The name of each button says which entry it is about, also for people who do not see its line.
    await page.getByRole('button', { name: /^Revoke Weather agent since 2/ }).click();
    await page.getByText('Nothing yet. Programs that you allow').waitFor();
    expect(await client.refresh(refresh_token)).toBe(400);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('a refused form stays open with what was typed and the problem beside its field', async () => {
    const { url } = await startPages();
    const page = await openPage();
    await page.goto(`${url}/account`);
    await signIn(page);
    await page.getByText('Add a client').click();
    const form = page.locator('[data-form=add-client]');
    await form.getByLabel('Name', { exact: true }).fill('My "client" <b>');
    await form.getByLabel('Kind').selectOption('confidential');
    await form.getByLabel('Redirect URIs').fill('https://a.example.com/\nhttp://b.example.com/');
    await form.getByRole('checkbox').first().uncheck();
    await form.getByRole('button', { name: 'Add client' }).click();
    await page.waitForURL(/add-client$/);
    const wrong = form.getByLabel('Redirect URIs').and(page.locator('[aria-invalid=true]:focus'));
    await wrong.waitFor();
    expect(await wrong.inputValue()).toBe('https://a.example.com/\nhttp://b.example.com/');
    const problem = await page.getByRole('alert').textContent();
    expect(problem).toContain('http://b.example.com/');
    expect(await page.locator('#redirects-problem').textContent()).toBe(problem);
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('My "client" <b>');
    expect(await form.getByLabel('Kind').inputValue()).toBe('confidential');
    expect(await form.getByRole('checkbox').first().isChecked()).toBe(false);
    await wrong.fill('https://a.example.com/');
    await form.getByRole('button', { name: 'Add client' }).click();
    await page.getByRole('heading', { name: 'The client was added' }).waitFor();
  });

  test('a wallet signs in by a message that the person sees', async () => {
    const { url } = await startPages();
    const client = await startClient(url);
    const page = await openPage();
    const wallet = privateKeyToAccount(`0x${'42'.repeat(32)}`);
    const signed: string[] = [];
    await page.exposeFunction('askWallet', async (method: string, parameters: string[] = []) => {
      if (method === 'eth_requestAccounts') return [wallet.address.toLowerCase()];
      if (method === 'eth_chainId') return '0x7a69';
      if (method !== 'personal_sign') throw new Error(`${method} was not expected`);
      const raw = String(parameters[0]) as `0x${string}`; // what the method demands
      signed.push(Buffer.from(raw.slice(2), 'hex').toString());
      return wallet.signMessage({ message: { raw } });
    });
    await page.addInitScript(`window.ethereum = {
      request: ({ method, params }) => window.askWallet(method, params) };`);
    await page.goto(client.ask().url);
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const short = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`;
    expect(await page.getByText('Signed in as').textContent()).toBe(`Signed in as ${short}`);
    expect(signed[0]).toContain(`${new URL(url).host} wants you to sign in`);
    expect(signed[0]).toContain('Chain ID: 31337');
    await allow(page);
  });

  test('a browser without a wallet is not offered a wallet sign-in', async () => {
    const { url } = await startPages();
    const page = await openPage();
    await page.goto(`${url}/account`, { waitUntil: 'networkidle' });
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in']);
    expect(await page.getByText('or', { exact: true }).isVisible()).toBe(false);
  });

  test('a new owner sets a password by the link and is signed in', async () => {
    const { url, setUpLink } = await startPages({});
    const page = await openPage();
    await page.goto(`${url}/account`);
    await page.getByText('its owner has no password yet').waitFor();
    await page.goto(String(setUpLink));
    await page.getByLabel('New password').fill('a long new password');
    await page.getByLabel('The same once more').fill('a long new password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Signed in as owner' }).waitFor();
  });

  test('everything can be done by keyboard alone', async () => {
    const { url } = await startPages();
    const client = await startClient(url);
    const page = await openPage();
    await page.goto(client.ask().url);
    // Browsers set the focus with the first paint, which may come after the page has loaded.
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('owner');
    await page.keyboard.press('Tab');
    await page.keyboard.type(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const reached: string[] = [];
    for (let presses = 0; presses < 12 && reached.at(-1) !== 'Allow'; presses += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate("document.activeElement.closest('label, a, button').innerText.trim()"),
      );
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe(
        'none',
      );
    }
    expect(reached).toEqual([
      'Skip to the content',
      'Use another account',
      'Ask for swap quotes at a higher rate',
      'See your subscriptions, their operations and their deliveries',
      'Create, change and delete subscriptions for you',
      'Deny',
      'Allow',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/callback/);
  });

  test.each(['light', 'dark'] as const)(
    'no page scrolls sideways on a phone, and text stands out, in the %s',
    async (colorScheme) => {
      const { url } = await startPages();
      const client = await startClient(
        url,
        'An agent with a name that is rather long and says much',
      );
      const page = await openPage({ colorScheme, viewport: { width: 320, height: 640 } });
      const look = async () => {
        const width = 'document.documentElement.scrollWidth - innerWidth';
        expect(await page.evaluate(width), page.url()).toBeLessThanOrEqual(0);
        expect(await page.evaluate(weakestContrast), page.url()).toBeGreaterThanOrEqual(4.5);
      };
      await page.goto(client.ask().url);
      await look();
      await signIn(page);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await look();
      await page.goto(`${url}/account`);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await look();
      await page.goto(`${url}/device?user_code=WXYZ-WXYZ`);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
      await look();
      await page.goto(`${url}/authorize/over`);
      await look();
      await page.goto(`${url}/authorize?client_id=${'x'.repeat(90)}`);
      await look();
    },
  );

  test('pages run no script but the one of the wallet', async () => {
    const { url } = await startPages();
    const page = await openPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(`${url}/account`);
    await page.evaluate(`(() => { const script = document.createElement('script');
      script.textContent = 'window.wasRun = true'; document.body.append(script); })()`);
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
    await expect.poll(() => refused.join()).toContain('Content Security Policy');
  });
});

/** The smallest contrast of text with its background, as WCAG 2.2 section 1.4.3 computes it. */
const weakestContrast = `(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (channels) => {
    const [r, g, b] = channels.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll('body *')].filter((e) =>
    e.getClientRects().length > 0 && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== ''));
  return Math.min(...texts.map((e) => {
    const [a, b] = [light(parse(getComputedStyle(e).color).slice(0, 3)), light(behind(e))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  }));
})()`;

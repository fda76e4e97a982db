import { describe, expect, it } from 'vitest';
import { isRegisteredRedirectUri, redirectUriProblem } from './redirect-uri.ts';

describe('a redirect URI [S9]', () => {
  it.each([
    'https://app.example.com/callback',
    'https://app.example.com:8443/callback?tenant=1',
    'https://app.example.com:443/callback',
    'https://app.example.com',
    'http://localhost:3000/callback',
    'http://localhost/callback',
    'http://127.0.0.1:3000/',
    'http://127.8.8.8/callback',
    'http://[::1]:3000/callback',
  ])('may be %s', (text) => expect(redirectUriProblem(text)).toBeUndefined());

  it.each([
    ['http on another host', 'http://app.example.com/callback'],
    ['another scheme', 'com.example.app:/callback'],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['a relative one', '/callback'],
    ['nothing', ''],
    ['a fragment', 'https://app.example.com/callback#x'],
    ['an empty fragment', 'https://app.example.com/callback#'],
    ['user information', 'https://localhost@evil.example/callback'],
    ['an empty user name', 'https://@evil.example/callback'],
    ['a host that begins like this machine', 'http://localhost.evil.example/callback'],
    ['a host that ends like this machine', 'http://evil-localhost/callback'],
    ['capitals in the scheme', 'HTTPS://app.example.com/callback'],
    ['capitals in the host', 'https://APP.example.com/callback'],
    ['a decimal address', 'http://2130706433/callback'],
    ['an octal address', 'http://0177.0.0.1/callback'],
    ['a short address', 'http://127.1/callback'],
    ['a long spelling of ::1', 'http://[0:0:0:0:0:0:0:1]/callback'],
    ['dot segments', 'https://app.example.com/a/../callback'],
    ['encoded dot segments', 'https://app.example.com/a/%2e%2e/callback'],
    ['a backslash', 'https://app.example.com\\@evil.example/callback'],
    ['a tab', 'https://app.exa\tmple.com/callback'],
    ['a space before it', ' https://app.example.com/callback'],
    ['full-width letters', 'https://ａpp.example.com/callback'],
  ])('may not have %s', (_what, text) =>
    expect(redirectUriProblem(text)).toEqual(expect.any(String)),
  );
});

describe('a redirect URI of a request', () => {
  const registered = [
    'http://localhost/a:80/callback',
    'https://app.example.com/callback',
    'http://localhost:3000/callback?x=1',
  ];

  it('is a registered one, or a registered loopback one on another port [S9]', () => {
    for (const text of [
      ...registered,
      'http://localhost:49152/callback?x=1',
      'http://localhost/callback?x=1',
    ]) {
      expect(isRegisteredRedirectUri(text, registered)).toBe(true);
    }
  });

  it.each([
    ['a longer path', 'https://app.example.com/callback/evil'],
    ['a longer host', 'https://app.example.com.evil.example/callback'],
    ['user information', 'https://app.example.com@evil.example/callback'],
    ['an encoded letter', 'https://app.example.com/%63allback'],
    ['a slash at the end', 'https://app.example.com/callback/'],
    ['a fragment', 'https://app.example.com/callback#x'],
    ['another letter case in the path', 'https://app.example.com/Callback'],
    ['another letter case in the host', 'https://App.example.com/callback'],
    ['a query', 'https://app.example.com/callback?x=1'],
    ['another port away from this machine', 'https://app.example.com:8443/callback'],
    ['another scheme', 'http://app.example.com/callback'],
    ['another name of this machine', 'http://127.0.0.1:3000/callback?x=1'],
    ['a host that begins like this machine', 'http://localhost.evil.example:3000/callback?x=1'],
    ['another path on this machine', 'http://localhost:3000/other?x=1'],
    ['a number in the path', 'http://localhost/a:81/callback'],
    ['user information on this machine', 'http://x@localhost:3000/callback?x=1'],
    ['a port that is none', 'http://localhost:99999/callback?x=1'],
  ])('may not differ by %s [A2]', (_what, text) =>
    expect(isRegisteredRedirectUri(text, registered)).toBe(false),
  );
});

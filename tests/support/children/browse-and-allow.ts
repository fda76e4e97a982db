// A browser without a screen: follows redirects with cookies, and fills in the forms of sign-in and consent.
const jar = new Map<string, string>();
let url = process.argv[2] ?? '';
let form: URLSearchParams | undefined;

for (let step = 0; step < 20 && url !== ''; step++) {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: {
      cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      ...(form === undefined ? {} : { origin: new URL(url).origin }),
    },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    jar.set(name, value);
  }
  const location = response.headers.get('location');
  form = undefined;
  if (location !== null) {
    url = new URL(location, url).href;
    continue;
  }
  const page = await response.text();
  [url, form] = fillIn(page, url);
}

/** The form of a page that asks for a password or a decision, filled in, and where to send it. */
function fillIn(page: string, at: string): [string, URLSearchParams | undefined] {
  for (const [whole, attributes = ''] of page.matchAll(/<form([^>]*)>[\s\S]*?<\/form>/g)) {
    const values = new URLSearchParams();
    for (const [input] of whole.matchAll(/<input[^>]*>/g)) {
      values.set(attribute(input, 'name'), attribute(input, 'value'));
    }
    if (values.has('password')) {
      values.set('username', 'owner');
      values.set('password', process.env.PASSWORD ?? '');
    } else if (/name="decision"/.test(whole)) values.set('decision', 'allow');
    else continue;
    return [new URL(attribute(attributes, 'action') || at, at).href, values];
  }
  return ['', undefined];
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

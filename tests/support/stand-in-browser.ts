import { createCookieJar } from './cookie-jar.ts';

/** The person at the stand-in browser, and their decision. */
export type Visitor = {
  readonly username?: string;
  readonly password: string;
  readonly decision?: 'allow' | 'deny';
};

// Sign-in, consent and the redirects between them take six pages.
const mostPages = 20;

/**
 * Opens an address as a person's browser would. It keeps cookies and fills in forms until it is redirected to
 * another origin, and returns that address without opening it. It understands only redirects and forms, which is
 * all that pages without scripts need. `send` may pass its requests to an app inside the process.
 */
export async function visit(
  address: string,
  visitor: Visitor,
  send: (request: Request) => Promise<Response> = (request) =>
    fetch(request, { redirect: 'manual' }),
): Promise<string> {
  const jar = createCookieJar();
  const { origin } = new URL(address);
  let request = new Request(address);
  for (let page = 0; page < mostPages; page += 1) {
    request.headers.set('Cookie', jar.header());
    const response = await send(request);
    jar.take(response);
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, request.url);
      await response.body?.cancel();
      if (next.origin !== origin) return next.href;
      request = new Request(next);
    } else request = fillIn(await response.text(), request.url, visitor);
  }
  throw new Error(`${request.url} leads nowhere after ${mostPages} pages`);
}

function fillIn(page: string, url: string, visitor: Visitor): Request {
  const { username = 'owner', password, decision = 'allow' } = visitor;
  const forms = [...page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)];
  const form = forms.find(([, , inside]) =>
    /name="(password|decision|user_code)"/.test(inside ?? ''),
  );
  if (form === undefined) throw new Error(`${url} shows no form to fill in:\n${page}`);
  const [, attributes = '', inside = ''] = form;
  const fields = new URLSearchParams();
  for (const [input] of inside.matchAll(/<input[^>]*>/g)) {
    const name = attribute(input, 'name');
    const isTicked = attribute(input, 'type') !== 'checkbox' || /\schecked/.test(input);
    if (name !== undefined && isTicked) fields.append(name, attribute(input, 'value') ?? '');
  }
  const answers = { username, password, decision };
  for (const [name, value] of Object.entries(answers)) {
    if (inside.includes(`name="${name}"`)) fields.set(name, value);
  }
  return new Request(new URL(attribute(attributes, 'action') ?? url, url), {
    method: 'POST',
    headers: { Origin: 'null' },
    body: fields,
  });
}

function attribute(element: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1];
  return value?.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

/** What carries the browser's requests: the global `fetch`, or an app inside the process. */
export type Browse = (url: string, init: RequestInit) => Promise<Response>;

export type PersonOptions = {
  readonly browse: Browse;
  /** Where the program sent the person. */
  readonly url: string;
  readonly username?: string;
  readonly password: string;
  readonly decision?: 'allow' | 'deny';
};

/** More steps than any flow has: who does not arrive by then goes in circles. */
const mostSteps = 15;

/**
 * A person at a browser without scripts: follows redirects with cookies, signs in where the page asks
 * for a password, and decides where it asks for that. Answers the address outside of the server to
 * which they were sent at last, without going there; or the page at which they were left.
 */
export async function playBrowser(options: PersonOptions): Promise<{ url: URL; page?: string }> {
  const { browse, username = 'owner', password, decision = 'allow' } = options;
  const { origin } = new URL(options.url);
  const cookies = new Map<string, string>();
  const fill = { username, password, decision };
  let [url, init]: [URL, RequestInit] = [new URL(options.url), {}];
  for (let step = 0; step < mostSteps; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('Cookie', cookie);
    const response = await browse(url.href, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      [url, init] = [new URL(location, url), {}];
      if (url.origin !== origin) return { url };
      continue;
    }
    const page = await response.text();
    const form = findForm(page);
    if (form === undefined) return { url, page };
    for (const [name, value] of Object.entries(fill)) {
      if (form.names.includes(name)) form.fields.set(name, value);
    }
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' };
    url = new URL(form.action, url);
    init = { method: 'POST', headers: type, body: form.fields.toString() };
  }
  throw new Error(`the person was still at ${url} after ${mostSteps} steps`);
}

type FilledForm = { action: string; names: string[]; fields: URLSearchParams };

/** The form in which a person types a password or decides, with what stands in its fields. */
function findForm(page: string): FilledForm | undefined {
  for (const [, attributes = '', body = ''] of page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const controls = [...body.matchAll(/<(?:input|button)([^>]*)>/g)].map(
      ([, inner = '']) => inner,
    );
    const names = controls.map((control) => read(control, 'name') ?? '');
    if (!names.includes('password') && !names.includes('decision')) continue;
    const fields = new URLSearchParams();
    for (const control of controls) {
      const name = read(control, 'name');
      const isSent = read(control, 'type') !== 'checkbox' || /\schecked\b/.test(control);
      if (name !== undefined && name !== 'decision' && isSent)
        fields.append(name, read(control, 'value') ?? '');
    }
    return { action: read(attributes, 'action') ?? '', names, fields };
  }
  return undefined;
}

function read(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return value?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

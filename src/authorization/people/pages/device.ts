import { Hono } from 'hono';
import { html } from 'hono/html';
import type { EdgeEnv } from '../../../kernel/edge/mount.ts';
import { renderPage } from '../../../kernel/edge/page.ts';
import { createKeyedQueue } from '../../../kernel/wait/queue.ts';
import { seeOther } from '../../http/answers.ts';
import { messagePage } from '../../http/error-page.ts';
import type { Interactions } from '../../requests/interactions.ts';
import type { FailureLimit } from '../accounts/failure-limit.ts';
import type { Browsers } from '../browsers.ts';
import { interactionPlace, type Place } from '../place.ts';
import { readPostedForm } from '../posted-form.ts';
import { type FormFrame, notice, postForm } from './form-parts.ts';

export type DevicePageRoutesOptions = {
  readonly interactions: Pick<Interactions, 'findByUserCode'>;
  readonly browsers: Browsers;
  readonly wrongCodes: FailureLimit;
};

const devicePlace: Place = { id: 'device', path: '/device' };

/**
 * `/device`: a person types the code of a device and is sent on to its interaction, with the same
 * consent as any other. Wrong codes are limited by caller, so that none can be found by trying (RFC
 * 8628 section 5.1).
 */
export function createDevicePageRoutes(options: DevicePageRoutesOptions): Hono<EdgeEnv> {
  const { interactions, browsers, wrongCodes } = options;
  const app = new Hono<EdgeEnv>();
  // Concurrent guesses would all be let through before the first one counts as a failure.
  const attempts = createKeyedQueue();

  app.get('/', async (c) => {
    const { cookie } = browsers.readCookie(c);
    const userCode = c.req.query('user_code')?.slice(0, 32);
    return devicePage({ place: devicePlace, cookie, userCode, problem: undefined });
  });

  app.post('/code', async (c) => {
    const browser = browsers.readCookie(c);
    const form = await readPostedForm(c, browser, { form: 'code', place: devicePlace.id });
    const caller = c.get('context').caller.key;
    const userCode = form.get('user_code') ?? '';
    const interaction = await attempts.pass(caller, async () => {
      wrongCodes.check(caller);
      const found = await interactions.findByUserCode(userCode);
      if (found === undefined) await wrongCodes.fail(caller);
      return found;
    });
    if (interaction !== undefined) return seeOther(c, interactionPlace(interaction.id).path);
    const problem =
      'No device is waiting for this code: compare it with the code on the device, or start again there.';
    return devicePage({ place: devicePlace, cookie: browser.cookie, userCode, problem });
  });

  app.get('/allowed', () =>
    messagePage({
      title: 'Connected',
      text: 'The device now has access. You can close this page and go back to the device.',
    }),
  );
  app.get('/denied', () =>
    messagePage({
      title: 'Not connected',
      text: 'The device gets no access. You can close this page.',
    }),
  );
  return app;
}

/** The page on which a person types the code that a device shows (RFC 8628 section 3.3). */
function devicePage(
  page: FormFrame & { userCode: string | undefined; problem: string | undefined },
): Promise<Response> {
  const { userCode, problem } = page;
  const body = html`<section class="card">
<h1>Connect a device</h1>
<p>Type the code that the device or program shows you.</p>
${notice(problem)}
${postForm(
  page,
  'code',
  html`<label for="user_code">Code</label>
<input class="code" id="user_code" name="user_code" type="text" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="32" value="${userCode ?? ''}" autofocus>
<p class="hint">Continue only if you started this yourself. Nobody who calls or writes to you needs this code.</p>
<div class="row"><button class="main">Continue</button></div>`,
)}
</section>`;
  return renderPage({ title: 'Connect a device', body, ...(problem ? { status: 400 } : {}) });
}

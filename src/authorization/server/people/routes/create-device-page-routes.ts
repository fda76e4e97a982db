import { Hono } from 'hono';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import type { Interactions } from '../../authorize/create-interactions.ts';
import { messagePage } from '../../http/message-page.ts';
import { seeOther } from '../../http/see-other.ts';
import type { Browsers } from '../browsers/create-browsers.ts';
import { interactionPlace, type Place } from '../browsers/place.ts';
import { readPostedForm } from '../browsers/read-posted-form.ts';
import type { FailureLimit } from '../create-failure-limit.ts';
import { createTurns } from '../create-turns.ts';
import { devicePage } from '../pages/device-page.ts';

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
  const inTurn = createTurns();

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
    const interaction = await inTurn(caller, async () => {
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

import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The Chromium of this machine: the one that `CHROMIUM` names, else one in a usual place. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM ?? places.find((place) => existsSync(place));
}

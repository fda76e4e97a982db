import { visit } from '../stand-in-browser.ts';

// A browser without a screen, for `BROWSER`: its person signs in as the owner, allows, and goes where they are sent.
const [url = '', password = ''] = process.argv.slice(2).toReversed();
await fetch(await visit(url, { password }));

import { visit } from '../stand-in-browser.ts';

// A headless browser, for `BROWSER`: it signs in as the owner, allows access, and follows the redirect.
const [url = '', password = ''] = process.argv.slice(2).toReversed();
await fetch(await visit(url, { password }));

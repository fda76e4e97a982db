import { createHash } from 'node:crypto';
import { pageStyle } from '../kernel/http/page/page-style.ts';
import { consoleStyle } from './console-style.ts';

/** The style of a page of the console, which stands in the page itself: nothing is waited for before the first paint. */
export const shellStyle = pageStyle + consoleStyle;

const styleHash = createHash('sha256').update(shellStyle).digest('base64');

/** Scripts, pictures and calls of this server alone, and the one style of the shell; nothing framed (K14). */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

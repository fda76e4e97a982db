import { createHash } from 'node:crypto';
import { pageStyle } from '../kernel/http/page/page-style.ts';
import { consoleStyle } from './console-style.ts';

/** The style of a page of the console. It is inline, so that the first paint waits for no request. */
export const shellStyle = pageStyle + consoleStyle;

const styleHash = createHash('sha256').update(shellStyle).digest('base64');

/** Allows scripts, images and calls of this server alone, and the one inline style of the shell; no frames (K14). */
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

import { html, type VNode } from '../../../vendor/preact.js';
import { ApiError } from '../../api.ts';

/** What went wrong, announced once to screen readers; nothing without an error. */
export function Problem({ error }: { error: unknown }): VNode | null {
  if (error === undefined || error === null) return null;
  return html`<div class="note bad" role="alert">${explain(error)}</div>`;
}

/** Turns whatever was thrown into a sentence for people. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The server cannot be reached. Is it running?';
  return error instanceof Error ? error.message : String(error);
}

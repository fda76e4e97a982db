import {
  type ComponentChildren,
  html,
  useEffect,
  useRef,
  type VNode,
} from '../../vendor/preact.js';
import { ApiError } from '../api.ts';
import { after } from '../clock.ts';
import type { Action } from '../use-answer.ts';

/** The state of an action: progress, success or what went wrong (K18). */
export function Outcome({ action }: { action: Action }): VNode {
  const { isRunning, error, done } = action;
  return html`${isRunning && html`<${Waiting}>Working …<//>`}
    ${error !== undefined && html`<${InSight}><${Problem} error=${error} /><//>`}
    ${done !== '' && html`<${InSight}><p class="note good" role="status">${done}</p><//>`}`;
}

/** What went wrong, announced once to screen readers; nothing without an error. */
export function Problem({ error }: { error: unknown }): VNode | null {
  if (error === undefined || error === null) return null;
  return html`<div class="note bad" role="alert">${explain(error)}</div>`;
}

/** Turns whatever was thrown into a sentence for people. */
function explain(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The server cannot be reached. Is it running?';
  return error instanceof Error ? error.message : String(error);
}

/** Says what the page waits for (K18), to screen readers too. */
export function Waiting({ children }: { children?: ComponentChildren }): VNode {
  return html`<p class="waiting" role="status">${children}</p>`;
}

/** After a change, lists load again within this time and move whatever is below them. */
const settlingMs = 1_000;

/** Scrolls the outcome of an action into view: in a low window it would appear beyond the edge, unseen. */
export function InSight({ children }: { children: unknown }): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watcher = new ResizeObserver(() => place.current?.scrollIntoView({ block: 'nearest' }));
    watcher.observe(document.body);
    const end = () => watcher.disconnect();
    after(settlingMs, end);
    return end;
  }, []);
  return html`<div class="sight" ref=${place}>${children}</div>`;
}

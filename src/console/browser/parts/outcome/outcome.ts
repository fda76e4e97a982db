import { html, type VNode } from '../../../vendor/preact.js';
import type { Action } from '../../use-action.ts';
import { InSight } from './in-sight.ts';
import { Problem } from './problem.ts';
import { Waiting } from './waiting.ts';

/** The state of an action: progress, success or what went wrong (K18). */
export function Outcome({ action }: { action: Action }): VNode {
  const { isRunning, error, done } = action;
  return html`${isRunning && html`<${Waiting}>Working …<//>`}
    ${error !== undefined && html`<${InSight}><${Problem} error=${error} /><//>`}
    ${done !== '' && html`<${InSight}><p class="note good" role="status">${done}</p><//>`}`;
}

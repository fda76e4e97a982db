import { html, useEffect, useRef, type VNode } from '../../../vendor/preact.js';
import { after } from '../../clock.ts';

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

import { html, useEffect, useRef, type VNode } from '../../../vendor/preact.js';
import { after } from '../../clock.ts';

/** As long as lists are asked for again after a change, which moves what stands below them. */
const settlingMs = 1_000;

/** Shows what came of an act wherever the page was scrolled to: in a low window it would appear beyond the edge, unseen. */
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

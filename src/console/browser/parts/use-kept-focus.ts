import { useEffect, useRef } from '../../vendor/preact.js';

/**
 * Keeps the place of whoever works by keyboard: where what had the focus is gone, as a row that was removed, the part around
 * it gets the focus, and not the beginning of the page (K15). The part needs a `tabindex`.
 */
export function useKeptFocus<Part extends HTMLElement>() {
  const part = useRef<Part>(null);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    if (last.current === null || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
  const onFocusIn = ({ target }: { target: Element }) => {
    last.current = target;
  };
  return { part, onFocusIn };
}

import { useEffect, useRef } from '../../vendor/preact.js';

/**
 * Keeps the place of keyboard users. When the element with the focus is removed, for example with its row, the part
 * around it gets the focus instead of the beginning of the page (K15). The part needs a `tabindex`.
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

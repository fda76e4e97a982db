// The exports of libraries that the console's pages may use. scripts/console-vendor.ts bundles them.
export {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  useComputed,
  useSignal,
} from '@preact/signals';
export { html } from 'htm/preact';
export { type ComponentChildren, Fragment, render, type VNode } from 'preact';
export {
  useCallback,
  useEffect,
  useErrorBoundary,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks';

// Made by npm run generate from scripts/console-libraries.ts.
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

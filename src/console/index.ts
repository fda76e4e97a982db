// The door of the domain.
export { consoleService } from './console-service.ts';
export { createConsoleMount } from './create-console-mount.ts';
export { callbackPath } from './pages.ts';

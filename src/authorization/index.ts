export { authorizationSettings } from './config.ts';

export { swapSettings } from './config.ts';

export { eventsSettings } from './config.ts';

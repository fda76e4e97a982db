// The door `tradewind/guard`: what a protected server needs to know and to answer.
export { type BearerChallenge, bearerChallenge, readBearerToken } from './bearer.ts';

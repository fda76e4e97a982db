import type { InteractionId } from '../../model/interaction.ts';

/** Where a person signs in: on the way through an interaction, or to their own account. */
export type Place = {
  /** What forms and wallets' messages are bound to. */
  readonly id: string;
  /** The page to come back to; what is posted there goes to paths below it. */
  readonly path: string;
};

export const accountPlace: Place = { id: 'account', path: '/account' };

export function interactionPlace(id: InteractionId): Place {
  return { id, path: `/authorize/${id}` };
}

import type { RoutedChoice } from './search/choose-route.ts';
import { ratio } from './swap-price.ts';

/**
 * The part of the best output that pools could hold which were not read, if none of them has a better price than all that were
 * read: what the trade loses against the mid price [Q50]. All of it where there is no whole route.
 */
export function unreadShare(choice: Pick<RoutedChoice, 'route' | 'midPrice'> | undefined): number {
  if (choice === undefined || choice.route.isPartial) return 1;
  const { route, midPrice } = choice;
  return Math.max(0, 1 - ratio(route.amountOut, route.amountIn) / midPrice);
}

/** How much work a search may do, in steps: with time its answer would depend on the machine. */
export type Budget = {
  /** Takes one step; false when none is left. */
  readonly spend: () => boolean;
  readonly spent: () => number;
  /** Whether a step was wanted that was not left. */
  readonly isShort: () => boolean;
};

export function createBudget(steps: number): Budget {
  let spent = 0;
  let isShort = false;
  return {
    spend: () => {
      isShort = spent >= steps;
      if (!isShort) spent++;
      return !isShort;
    },
    spent: () => spent,
    isShort: () => isShort,
  };
}

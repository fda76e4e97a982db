/** How much work a search may do, in steps: with time its answer would depend on the machine. */
export type Budget = {
  /** Takes one step; false when none is left. */
  readonly spend: () => boolean;
  readonly spent: () => number;
};

export function createBudget(steps: number): Budget {
  let spent = 0;
  return {
    spend: () => {
      if (spent >= steps) return false;
      spent++;
      return true;
    },
    spent: () => spent,
  };
}

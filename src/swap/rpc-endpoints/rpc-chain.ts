/** The endpoints that a chain starts out with. */
export type RpcChain = {
  readonly chainId: number;
  /** From the settings, in the operator's order. They may carry credentials. */
  readonly own: readonly string[];
  /** From the registry of deployments. */
  readonly registered: readonly string[];
  /**
   * Set for the development chain: it starts fresh each time, so nothing stored or listed anywhere is true of it, and
   * nothing is measured. This server asks it at `own`, and names `registered` to others.
   */
  readonly development?: true;
};

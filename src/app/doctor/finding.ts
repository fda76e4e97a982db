/** What one check of the surroundings found; `mend` says what to do where it is not ok. */
export type Finding =
  | { readonly check: string; readonly ok: true; readonly detail: string }
  | { readonly check: string; readonly ok: false; readonly detail: string; readonly mend: string };

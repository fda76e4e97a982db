/** The finding of one check; `mend` says what to do if it is not ok. */
export type Finding =
  | { readonly check: string; readonly ok: true; readonly detail: string }
  | { readonly check: string; readonly ok: false; readonly detail: string; readonly mend: string };

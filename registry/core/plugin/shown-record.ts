/** A record as `view` shows it, with the names of the site. */
export type ShownRecord = Readonly<Record<string, unknown>> & { readonly id: number };

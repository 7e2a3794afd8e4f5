/** One node of a JSON-LD graph. */
export type Piece = Readonly<Record<string, unknown>>;

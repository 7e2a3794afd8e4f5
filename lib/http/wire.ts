/** A finished answer: what an adapter sends, byte for byte. `body` null: no body (HEAD, 204, 304). */
export interface WireResponse {
  readonly status: number;
  /** Names as sent; values are valid header text. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, each a header of its own. Absent: none. */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array | null;
}

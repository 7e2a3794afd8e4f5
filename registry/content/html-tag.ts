/** An attribute of a tag. */
export interface HtmlAttribute {
  /** Lower case. */
  readonly name: string;
  /** Character references are decoded. */
  readonly value: string;
}

/** A start or end tag. `from`, `to`: its place in the text; -1 unless `positions` was asked for. */
export interface HtmlTag {
  /** Lower case. */
  readonly name: string;
  /** Names are unique, the first one counts; empty on an end tag. */
  readonly attributes: readonly HtmlAttribute[];
  readonly selfClosing: boolean;
  readonly from: number;
  readonly to: number;
}

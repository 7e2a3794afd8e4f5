/** An attribute of a tag. */
export interface HtmlAttribute {
  /** Lower case. */
  readonly name: string;
  /** Character references are decoded. */
  readonly value: string;
}

/** Where a part stands in the text; -1 unless `positions` was asked for. */
export interface HtmlPlace {
  readonly from: number;
  readonly to: number;
}

/** A start or end tag. */
export interface HtmlTag extends HtmlPlace {
  /** Lower case. */
  readonly name: string;
  /** Names are unique, the first one counts; empty on an end tag. */
  readonly attributes: readonly HtmlAttribute[];
  readonly selfClosing: boolean;
}

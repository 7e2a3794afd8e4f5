/** An attribute of a tag. */
export interface HtmlAttribute {
  /** Lower case. */
  readonly name: string;
  /** With decoded character references. */
  readonly value: string;
}

/** Offsets of a part in the text, `from` its first character `to` the one behind it; -1 unless `positions` was requested. */
export interface HtmlPlace {
  readonly from: number;
  readonly to: number;
}

/** A start or end tag. `selfClosing`: it ends with `/>`. */
export interface HtmlTag extends HtmlPlace {
  /** Lower case. */
  readonly name: string;
  /** Names are unique: the first attribute of a name counts. Empty for an end tag. */
  readonly attributes: readonly HtmlAttribute[];
  readonly selfClosing: boolean;
}

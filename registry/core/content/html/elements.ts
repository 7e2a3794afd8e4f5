/** Elements without content and end tag, for parsers (HTML 13.1.2, and `param` by 13.2.6.4.7). */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Elements whose content is text as it stands: character references mean nothing in it (HTML 13.3). */
export const RAW_TEXT: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style xmp'.split(' '),
);

/** Elements whose content browsers do not parse as the HTML around them, or do not show. */
export const CLOSED_ELEMENTS: ReadonlySet<string> = new Set([
  ...RAW_TEXT,
  ...'math noscript svg template textarea title'.split(' '),
]);

/** Scripts in comments, shortcodes and the attributes of blocks. */

/** `\u003c` in the JSON of a block, and character references, hide the characters of a script. */
function unescape(text: string): string {
  return text
    .replaceAll(/\\u00([0-9a-f]{2})|&#x0*([0-9a-f]{2});?/gi, (_all, json?: string, reference?: string) =>
      String.fromCharCode(Number.parseInt(json ?? reference ?? '', 16)),
    )
    .replaceAll(/&#0*(\d{2,3});?/g, (_all, digits: string) => String.fromCharCode(Number(digits)))
    .replaceAll(
      /&(lt|gt|quot);/g,
      (_all, name: 'lt' | 'gt' | 'quot') => ({ lt: '<', gt: '>', quot: '"' })[name],
    )
    .replaceAll('\\"', '"');
}

// An address that runs code does something: `javascript:void(0)` and a mere mention do not.
const CODE =
  /<script[\s/>]|(?:java|vb)script:(?!\s*void\b)\s*[\w$.(]*[\w$)]\s*[(=[]|<[a-z][^<>]{0,2000}[\s/"']on[a-z]{3,20}\s*=|data:text\/html/i;
const EVENT =
  /[\s"']on(?:error|load|click|focus|mouse\w{2,5}|toggle|begin|start|animation\w{3,9}|pointer\w{2,6})\s*=\s*["'\w]/i;
/** A member of a block that a program would write as an event attribute. */
const MEMBER = /"on(?:error|load|click|focus|mouse\w{2,5})"\s*:\s*"/i;
const WITHIN = /\[[a-z][\w-]*(?:\s[^[\]]{0,5000})?\][^[]{0,5000}<script[\s/>][^[]{0,300}/gi;
const SHORTCODE = /\[[a-z][\w-]*(?:\s[^[\]]{1,5000})\]/gi;

/** Whether the text of a comment holds a script: commented markup, or the attributes of a block. */
export function holdsScript(text: string): boolean {
  const plain = unescape(text);
  return CODE.test(plain) || MEMBER.test(plain);
}

/** The shortcodes of a text that hold a script, in their attributes or between their two halves. */
export function listScriptShortcodes(text: string): readonly string[] {
  const opening = (text.match(SHORTCODE) ?? []).filter((shortcode) => {
    const plain = unescape(shortcode);
    return CODE.test(plain) || EVENT.test(plain);
  });
  return [...opening, ...(text.match(WITHIN) ?? [])];
}

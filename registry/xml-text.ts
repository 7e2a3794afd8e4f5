import { own } from '../lib/core/objects.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that an XML 1.0 document must not contain, not even as an entity (XML 1.0, 2.2). */
// oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Escapes the text for an XML element or a quoted attribute. Characters that XML cannot contain are removed. */
export function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>"']/g, (character) => own(ENTITIES, character) ?? '');
}

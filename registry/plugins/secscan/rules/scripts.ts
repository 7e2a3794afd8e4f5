import { isHostOf, isIpHost, normaliseAddress, toUrl } from '../text/address.ts';
import type { ScannedElement } from '../text/post-text.ts';
import type { Scope } from './rule.ts';

/** Types of scripts that a browser does not run. */
const DATA_TYPES: ReadonlySet<string> = new Set([
  'application/ld+json',
  'application/json',
  'text/template',
  'text/html',
  'text/x-template',
  'application/json+oembed',
]);

/** Where a script comes from: nothing to report, a file that a secure address names, or anything else. */
export type ScriptOrigin = 'data' | 'known' | 'linked' | 'inline';

function readAddress({ attributes }: ScannedElement, { own }: Scope): URL | null {
  const src = attributes.get('src') ?? '';
  return src === '' ? null : toUrl(normaliseAddress(src), own);
}

/** Judges a script element. A script with an address and a text counts as inline, because one of the two is there to deceive. */
export function judgeScript(element: ScannedElement, scope: Scope): ScriptOrigin {
  if (DATA_TYPES.has((element.attributes.get('type') ?? '').trim().toLowerCase())) return 'data';
  const url = readAddress(element, scope);
  if (url === null || url.protocol !== 'https:' || element.text.trim() !== '') return 'inline';
  if (isHostOf(url.hostname, scope.embeds)) return 'known';
  return isIpHost(url.hostname) || url.username !== '' ? 'inline' : 'linked';
}

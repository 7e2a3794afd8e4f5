import { BRANDS, HOSTING, LURES, SHARED_BRANDS } from '../lists/known-hosts.ts';
import { toLookAlike, toShownHost } from './look-alike.ts';

/** Second-level names below which names are sold: `example.co.uk`. */
const SECOND_LEVEL: ReadonlySet<string> = new Set('ac co com edu gov gr ltd ne net or org plc'.split(' '));
const SKELETONS: ReadonlyMap<string, string> = new Map(BRANDS.map((brand) => [toLookAlike(brand), brand]));
const BRAND_NAMES: ReadonlySet<string> = new Set(BRANDS);
const LURE_WORDS: ReadonlySet<string> = new Set(LURES);

/** A host as labels: those that its owner registered, and those that he chose below. */
function splitHost(host: string): {
  readonly below: readonly string[];
  readonly registered: string;
  readonly suffix: readonly string[];
} {
  const labels = host.split('.');
  const suffixLength =
    labels.length > 2 && labels.at(-1)?.length === 2 && SECOND_LEVEL.has(labels.at(-2) ?? '') ? 2 : 1;
  const suffix = labels.slice(-suffixLength);
  const rest = labels.slice(0, -suffixLength);
  return { below: rest.slice(0, -1), registered: rest.at(-1) ?? '', suffix };
}

/** Whether a name is written to be read as a well-known brand: `paypa1.com`, `rnicrosoft.com`, `аpple.com`. */
export function imitatesBrand(host: string): boolean {
  const { registered } = splitHost(toShownHost(host));
  return registered.split('-').some((word) => {
    const brand = SKELETONS.get(toLookAlike(word));
    return brand !== undefined && brand !== word;
  });
}

/** Whether a label is read as the end of the host: `com` in `paypal.com.example.net`, `com-` in `paypal.com-login.net`. */
function looksLikeSuffix(label: string): boolean {
  return label.length === 2 || SECOND_LEVEL.has(label) || /^(?:com|net|org)-/.test(label);
}

/** Whether a well-known brand stands where its owner could not put it: `paypal.com.example.net`, `paypal.example.net`, `google-login.net`. */
export function borrowsBrand(host: string): boolean {
  const { below, registered, suffix } = splitHost(host);
  if (HOSTING.has([registered, ...suffix].join('.')) || BRAND_NAMES.has(registered)) return false;
  if (
    below.some(
      (label, index) =>
        BRAND_NAMES.has(label) &&
        (!SHARED_BRANDS.has(label) || looksLikeSuffix(below[index + 1] ?? registered)),
    )
  )
    return true;
  const words = [...below, registered].flatMap((label) => label.split('-'));
  return words.some((word) => LURE_WORDS.has(word)) && words.some((word) => BRAND_NAMES.has(word));
}

import { domainToUnicode } from 'node:url';
import { normalize } from '../../../plugin.ts';
import { BRANDS, HOSTING, LURES, SHARED_BRANDS } from '../settings/known-hosts.ts';

// Characters of other scripts that look like Latin letters (Unicode UTS 39, the part that matters for host names).
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'в',
  c: 'сϲ',
  d: 'ԁժđ',
  e: 'еҽε',
  f: 'ƒ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıɩι',
  j: 'ј',
  k: 'κк',
  l: 'ӏⅼł',
  m: 'м',
  n: 'ոпη',
  o: 'оοօøσ',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝω',
  x: 'хχ',
  y: 'уүγ',
  z: 'ʐ',
  ss: 'ß',
};
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
);

/** Digits and pairs of letters that are read as another letter. `i` and `l` are one, because `1` is read as both. */
const READ_AS: readonly (readonly [written: RegExp, read: string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/0/g, 'o'],
  [/[1il|]/g, 'l'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/9/g, 'g'],
];

/** The Latin letters that a name in other scripts looks like. */
function toLatin(name: string): string {
  const letters = normalize(name, 'NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...letters].map((letter) => LATIN.get(letter) ?? letter).join('');
}

/** What a name is read as at a glance. Two names with the same result look alike. */
export function toLookAlike(name: string): string {
  return READ_AS.reduce((read, [written, letter]) => read.replaceAll(written, letter), toLatin(name));
}

/** Longest name of a host (RFC 1035 2.3.4). */
const LONGEST_HOST = 253;

/** A host in the characters that a browser shows. A longer one than DNS has stays as it is: decoding takes the square of its length. */
export function toShownHost(host: string): string {
  return host.length > LONGEST_HOST ? host : domainToUnicode(host);
}

/** Second-level names below which names are sold: `example.co.uk`. */
const SECOND_LEVEL: ReadonlySet<string> = new Set('ac co com edu gov gr ltd ne net or org plc'.split(' '));
const SKELETONS: ReadonlyMap<string, string> = new Map(
  [...BRANDS].map((brand) => [toLookAlike(brand), brand]),
);

/** A host as labels: those that its owner registered, and those that he chose below. */
function splitHost(host: string) {
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
  if (HOSTING.has([registered, ...suffix].join('.')) || BRANDS.has(registered)) return false;
  if (
    below.some(
      (label, index) =>
        BRANDS.has(label) && (!SHARED_BRANDS.has(label) || looksLikeSuffix(below[index + 1] ?? registered)),
    )
  )
    return true;
  const words = [...below, registered].flatMap((label) => label.split('-'));
  return words.some((word) => LURES.has(word)) && words.some((word) => BRANDS.has(word));
}

import { domainToUnicode } from 'node:url';
import { own } from '../../lib/core/objects.ts';
import type { OwnSite } from './own-site.ts';
import type { Part } from './part.ts';

// Characters of other scripts that look like Latin letters (Unicode UTS 39, the part that matters for host names).
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', ɑ: 'a', α: 'a', в: 'b', с: 'c', ϲ: 'c', ԁ: 'd', ժ: 'd', е: 'e', ҽ: 'e', ε: 'e', ƒ: 'f', ɡ: 'g', ց: 'g', һ: 'h', հ: 'h',
  і: 'i', ı: 'i', ɩ: 'i', ι: 'i', ј: 'j', κ: 'k', к: 'k', ӏ: 'l', ⅼ: 'l', м: 'm', ո: 'n', п: 'n', η: 'n', о: 'o', ο: 'o', օ: 'o', ø: 'o', σ: 'o',
  р: 'p', ρ: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', τ: 't', υ: 'u', ս: 'u', ν: 'v', ѵ: 'v', ԝ: 'w', ω: 'w', х: 'x', χ: 'x', у: 'y', ү: 'y', γ: 'y', ʐ: 'z', ł: 'l', đ: 'd', ß: 'ss',
};

const MAX_SHOWN = 2048;

/** Normalises an address as a browser does: outer spaces and control characters are removed, and so are tabs and line ends (WHATWG URL 4.4). */
export function normaliseAddress(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= 0x20) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to -= 1;
  return text.slice(from, to).replaceAll(/[\t\n\r]/g, '');
}

/** Scheme of a normalised address in lower case, without the colon; '' if it has none. */
export function schemeOf(address: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** The parsed http or https address; null for any other. Relative addresses belong to this site. */
export function toUrl(address: string, own: OwnSite): URL | null {
  const base = `${own.url}/`;
  if (!URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

/** Whether the host is one of `hosts` or a subdomain of one. */
export function isHostOf(host: string, hosts: ReadonlySet<string>): boolean {
  if (hosts.size === 0) return false;
  for (let rest = host; ; rest = rest.slice(rest.indexOf('.') + 1)) {
    if (hosts.has(rest)) return true;
    if (!rest.includes('.')) return false;
  }
}

/** Whether the address points to another host than this site (with or without `www.`). */
export function isExternal(url: URL, own: OwnSite): boolean {
  return withoutWww(url.hostname) !== withoutWww(own.host);
}

/** Whether the host of a parsed address is an IP address. */
export function isIpHost(host: string): boolean {
  return host.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

function toSkeleton(host: string): string {
  const letters = domainToUnicode(host).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return withoutWww([...letters].map((letter) => own(LOOK_ALIKES, letter) ?? letter).join(''));
}

/** Whether a punycode host looks like the host of this site. */
export function isLookAlike(host: string, own: OwnSite): boolean {
  return host.split('.').some((label) => label.startsWith('xn--')) && withoutWww(host) !== withoutWww(own.host)
    && toSkeleton(host) === toSkeleton(own.host);
}

/** An address as part of an issue, without user name and password. */
export function toAddressPart(url: URL): Part {
  const shown = new URL(url);
  if (shown.username !== '') shown.username = '***';
  if (shown.password !== '') shown.password = '***';
  return { shown: shown.href.slice(0, MAX_SHOWN), full: url.href };
}

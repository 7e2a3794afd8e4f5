import { toLookAlike, toShownHost } from './look-alike.ts';

/** An offending part of an object. `shown` is visible to everybody who can read issues; `full` is compared to detect changes. */
export interface Excerpt {
  readonly shown: string;
  readonly full: string;
}

const SHOWN = 300;

/** A part that may be shown unchanged. A long part is shortened. */
export function toExcerpt(text: string): Excerpt {
  return { shown: text.slice(0, SHOWN), full: text };
}

/** The address of this site, for rules that distinguish internal from external addresses. */
export interface OwnSite {
  readonly url: string;
  /** Lower case, without port. */
  readonly host: string;
  readonly secure: boolean;
}

/** `url`: absolute address of the site. */
export function toOwnSite(url: string): OwnSite {
  const { hostname, protocol } = new URL(url);
  return { url, host: hostname, secure: protocol === 'https:' };
}

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

/** Networks that nobody else can reach (RFC 1918, 3927, 4193, 4291, 6598, 6761). */
const PRIVATE =
  /^(?:10|127|0)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/;

/** Whether the host of a parsed address belongs to the reader's own network or machine. */
export function isPrivateHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || (isIpHost(host) && PRIVATE.test(host));
}

/** Whether the host of a parsed address is an IP address. */
export function isIpHost(host: string): boolean {
  return host.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** Whether another host is read as the host of this site at a glance. */
export function isLookAlike(host: string, own: OwnSite): boolean {
  return withoutWww(host) !== withoutWww(own.host) && toReading(host) === toReading(own.host);
}

function toReading(host: string): string {
  return withoutWww(toLookAlike(toShownHost(host)));
}

/** An address as part of an issue, without user name and password. */
export function toAddressPart(url: URL): Excerpt {
  const shown = new URL(url);
  if (shown.username !== '') shown.username = '***';
  if (shown.password !== '') shown.password = '***';
  return { shown: shown.href.slice(0, MAX_SHOWN), full: url.href };
}

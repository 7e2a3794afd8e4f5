/** An IPv4 address in IPv6 form, as `URL` writes it. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;
/** Some proxies send the address with the port of the connection, which differs each time. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]+)\](?::\d+)?|(?:::ffff:)?(?<ipv4>\d+\.\d+\.\d+\.\d+)(?::\d+)?)$/i;
const IPV6 = /^[\da-f:.]+$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** An IPv6 address in its shortest form; null for any other text. */
function toCanonical(address: string): string | null {
  const [withoutZone = ''] = address.split('%');
  const url = `http://[${withoutZone}]`;
  return IPV6.test(withoutZone) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null;
}

function toIpv4([high = '', low = '']: readonly string[]): string {
  const bits = Number.parseInt(high, 16) * 0x1_00_00 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

/** The first four groups of eight: `2001:db8:0:0`. */
function toFirstGroups(canonical: string): string {
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':');
}

/**
 * The unit by which callers are throttled: an IPv4 address (also in its IPv6 form), or the /64 of an IPv6 address, which
 * usually belongs to one customer. Any other text from the host is used as it is. '' if unknown.
 */
export function toCallerNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const { ipv4, ipv6 } = WITH_PORT.exec(address)?.groups ?? {};
  if (ipv4 !== undefined) return ipv4;
  const bare = ipv6 ?? address;
  const canonical = toCanonical(bare);
  if (canonical === null) return bare;
  const mapped = MAPPED.exec(canonical);
  return mapped === null ? `${toFirstGroups(canonical)}::/64` : toIpv4(mapped.slice(1));
}

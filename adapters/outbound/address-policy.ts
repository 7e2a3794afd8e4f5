import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 networks that are not public (IANA special-purpose registry), and one public address that reaches an internal service. */
const IPV4_REFUSED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Serves settings and secrets of the virtual machine inside one cloud.
  '168.63.129.16/32',
];

/**
 * Every address outside this range is refused: loopback, link-local, unique local, multicast, IPv4-mapped and
 * IPv4-compatible addresses, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard-only.
 */
const IPV6_PUBLIC = ['2000::/3'];

/** Refused within the public range: protocol assignments with Teredo (2001::/32), documentation, and 6to4, which holds an IPv4 address. */
const IPV6_REFUSED = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

// One list per family and purpose, because a list with IPv4 rules also applies them to IPv4-mapped IPv6 addresses.
function toBlockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const ipv4Refused = toBlockList(IPV4_REFUSED, 'ipv4');
const ipv6Public = toBlockList(IPV6_PUBLIC, 'ipv6');
const ipv6Refused = toBlockList(IPV6_REFUSED, 'ipv6');

/** Whether the address (dotted IPv4, or IPv6 without brackets) is on the public internet. False for anything else, including names. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !ipv4Refused.check(address, 'ipv4');
  if (address.includes('%') || !isIPv6(address)) return false;
  return ipv6Public.check(address, 'ipv6') && !ipv6Refused.check(address, 'ipv6');
}

/**
 * Addresses that must never be dialled. `{port}` stands for a port that is allowed and on which a listener waits on
 * 127.0.0.1 and ::1, so that a form that gets through is counted.
 */
export const REFUSED_URLS: readonly string[] = [
  // Loopback, in every spelling that a URL parser understands.
  'http://127.0.0.1:{port}/', 'http://127.0.0.1:{port}', 'https://127.0.0.1:{port}/', 'HTTP://127.0.0.1:{port}/', 'http://127.0.0.1.:{port}/',
  'http://2130706433:{port}/', 'http://0x7f000001:{port}/', 'http://0X7F000001:{port}/', 'http://017700000001:{port}/', 'http://0x7f.0.0.1:{port}/',
  'http://0177.0.0.1:{port}/', 'http://0177.0.0.01:{port}/', 'http://0x7f.0x0.0x0.0x1:{port}/', 'http://127.1:{port}/', 'http://127.0.1:{port}/',
  'http://0x7f.1:{port}/', 'http://0177.1:{port}/', 'http://127.0.0x1:{port}/', 'http://127.1.:{port}/', 'http://127.255.255.254:{port}/',
  'http://0:{port}/', 'http://0.0.0.0:{port}/', 'http://0x0:{port}/', 'http://00000000:{port}/', 'http://0.1:{port}/',
  'http:127.0.0.1:{port}/', 'http:/127.0.0.1:{port}/', 'http:///127.0.0.1:{port}/', 'http:\\\\127.0.0.1:{port}\\', ' http://127.0.0.1:{port}/ ',
  'ht\ttp://127.0\n.0.1:{port}/', 'http://%31%32%37.0.0.1:{port}/', 'http://127%2e0%2e0%2e1:{port}/', 'http://127.0.0.1:0{port}/',
  // Digits and dots of other scripts.
  'http://①②⑦.⓪.⓪.①:{port}/', 'http://１２７.０.０.１:{port}/', 'http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:{port}/', 'http://127。0。0。1:{port}/', 'http://127．0．0．1:{port}/',
  'http://127｡0｡0｡1:{port}/', 'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/', 'http://loc\u00ADalhost:{port}/', 'http://loc\u200Balhost:{port}/',
  // IPv6, alone and around an IPv4 address.
  'http://[::1]:{port}/', 'http://[0:0:0:0:0:0:0:1]:{port}/', 'http://[0000::0001]:{port}/', 'http://[::]:{port}/', 'http://[::127.0.0.1]:{port}/',
  'http://[::7f00:1]:{port}/', 'http://[::ffff:127.0.0.1]:{port}/', 'http://[::ffff:7f00:1]:{port}/', 'http://[::FFFF:127.0.0.1]:{port}/',
  'http://[0:0:0:0:0:ffff:7f00:1]:{port}/', 'http://[::ffff:10.0.0.1]/', 'http://[::ffff:169.254.169.254]/', 'http://[::ffff:8.8.8.8]/',
  'http://[::ffff:0:127.0.0.1]:{port}/', 'http://[64:ff9b::127.0.0.1]:{port}/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]:{port}/', 'http://[2002:a00:1::1]/', 'http://[2002:c0a8:101::1]/', 'http://[2001:0:7f00:1::]/',
  'http://[2001::4136:e378:8000:63bf:3fff:fdd2]/', 'http://[2001:10::1]/', 'http://[2001:db8::1]/', 'http://[3fff::1]/', 'http://[100::1]/',
  'http://[5f00::1]/', 'http://[fc00::1]/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/', 'http://[fe80::1%25lo]/', 'http://[fec0::1]/', 'http://[ff02::1]/',
  // Private, shared, reserved and documentation networks.
  'http://10.0.0.1/', 'http://10.255.255.255/', 'http://0xa000001/', 'http://100.64.0.1/', 'http://100.127.255.255/', 'http://172.16.0.1/',
  'http://172.31.255.255/', 'http://192.168.0.1/', 'http://192.168.1.254:8080/', 'http://192.0.0.1/', 'http://192.0.2.1/', 'http://192.88.99.1/',
  'http://198.18.0.1/', 'http://198.51.100.1/', 'http://203.0.113.1/', 'http://224.0.0.1/', 'http://240.0.0.1/', 'http://255.255.255.255/',
  // Settings of virtual machines.
  'http://169.254.169.254/', 'http://169.254.169.254/latest/meta-data/', 'http://2852039166/', 'http://0xa9fea9fe/', 'http://0251.0376.0251.0376/',
  'http://169.254.170.2/', 'http://100.100.100.200/', 'http://192.0.0.192/', 'http://168.63.129.16/',
  // Names that resolve to internal addresses.
  'http://localhost:{port}/', 'http://LOCALHOST:{port}/', 'http://localhost.:{port}/', 'http://localhost.localdomain:{port}/', 'http://ip6-localhost:{port}/',
  'http://www.localhost:{port}/', 'http://metadata.google.internal/', 'http://127.0.0.1.nip.test:{port}/', 'http://inside.test/', 'http://inside6.test/',
  'http://mixed.test:{port}/', 'http://mixed6.test:{port}/', 'http://mapped.test:{port}/', 'http://zoned.test:{port}/', 'http://nowhere.test/', 'http://fails.test/',
  'http://nonsense.test/',
  // User names and passwords.
  'http://user@outside.test/', 'http://user:secret@outside.test/', 'http://:secret@outside.test/', 'http://outside.test@127.0.0.1:{port}/',
  'http://outside.test:80@127.0.0.1:{port}/', 'http://outside.test%2f@127.0.0.1:{port}/', 'http://127.0.0.1:{port}\\@outside.test/',
  // Ports.
  'http://outside.test:22/', 'http://outside.test:25/', 'http://outside.test:6379/', 'http://outside.test:0/', 'http://outside.test:65535/',
  'https://outside.test:8443/', 'http://outside.test:81/',
  // Schemes.
  'ftp://outside.test/', 'file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'gopher://127.0.0.1:{port}/_x', 'data:text/html,x', 'blob:http://outside.test/x',
  'javascript:alert(1)', 'ws://127.0.0.1:{port}/', 'wss://outside.test/', 'dict://127.0.0.1:{port}/x', 'ldap://127.0.0.1/', 'jar:http://127.0.0.1!/x', 'about:blank',
  // Not addresses at all.
  '', '/', '//127.0.0.1:{port}/', 'http://', 'http://:{port}/', 'outside.test', 'http://[::1', 'http://256.256.256.256/', 'http://1.2.3.4.5/', 'http://0x100000000/',
  'http://outside.test:99999/', 'http://out side.test/', 'http://xn--/', `http://outside.test/${'x'.repeat(2048)}`,
];

/** The names that the resolver of the tests knows. Any other name resolves to 127.0.0.1. */
export const RESOLVED: Readonly<Record<string, readonly string[]>> = {
  'outside.test': ['127.0.0.1'], 'inside.test': ['10.1.2.3'], 'inside6.test': ['fd12::1'], 'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'mixed6.test': ['93.184.215.14', '::1'], 'mapped.test': ['::ffff:127.0.0.1'], 'zoned.test': ['fe80::1%lo'], 'nowhere.test': [],
  'nonsense.test': ['not-an-address'], 'metadata.google.internal': ['169.254.169.254'],
};

/** The edges of each network, and whether these addresses are on the public internet. */
export const ADDRESSES: readonly (readonly [address: string, isPublic: boolean])[] = [
  ['8.8.8.8', true], ['1.1.1.1', true], ['9.255.255.255', true], ['11.0.0.0', true], ['100.63.255.255', true], ['100.128.0.0', true],
  ['126.255.255.255', true], ['128.0.0.1', true], ['169.253.255.255', true], ['169.255.0.0', true], ['172.15.255.255', true], ['172.32.0.0', true],
  ['192.167.255.255', true], ['192.169.0.0', true], ['198.17.255.255', true], ['198.20.0.0', true], ['223.255.255.255', true],
  ['2606:4700:4700::1111', true], ['2a00:1450:4001::200e', true], ['2001:200::1', true], ['2003::1', true], ['2001:4860:4860::8888', true],
  ['0.255.255.255', false], ['10.0.0.0', false], ['127.0.0.1', false], ['169.254.0.0', false], ['172.31.255.255', false], ['192.168.255.255', false],
  ['198.19.255.255', false], ['239.255.255.255', false], ['255.255.255.255', false], ['168.63.129.16', false],
  ['::', false], ['::1', false], ['::ffff:8.8.8.8', false], ['64:ff9b::808:808', false], ['2001::1', false], ['2001:1ff::1', false],
  ['2002:808:808::1', false], ['2001:db8::1', false], ['3fff:fff::1', false], ['4000::1', false], ['1fff::1', false], ['fe80::1', false],
  ['fe80::1%eth0', false], ['2606:4700::1%eth0', false], ['ff0e::1', false], ['', false], ['localhost', false], ['127.1', false], ['[::1]', false],
];

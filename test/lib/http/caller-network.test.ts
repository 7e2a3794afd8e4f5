import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toCallerNetwork } from '../../../lib/http/caller-network.ts';

const test = suite('toCallerNetwork');

const NETWORKS: readonly (readonly [address: string, network: string])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['::ffff:255.255.255.255', '255.255.255.255'],
  ['192.0.2.1:5555', '192.0.2.1'],
  ['[2001:db8::1]:5555', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:9:8:7:6', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['1:2:3:4:5::192.0.2.1', '1:2:3:4::/64'],
  ['1::5:6:7:8', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  // Any other text of the host is used as it is.
  ['', ''],
  ['session-17', 'session-17'],
  ['a:b', 'a:b'],
  ['1.2.3.4.5:80', '1.2.3.4.5:80'],
  ['192.0.2.1, 192.0.2.2', '192.0.2.1, 192.0.2.2'],
  ['2001:db8::1]/x[', '2001:db8::1]/x['],
];

for (const [address, network] of NETWORKS)
  test(`${address || 'nothing'} is of ${network || 'nothing'}`, () =>
    assert.is(toCallerNetwork(address), network));

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isHostOf,
  isIpHost,
  isLookAlike,
  normaliseAddress,
  schemeOf,
  toAddressPart,
  toOwnSite,
  toUrl,
} from '../../../../../registry/plugins/secscan/text/address.ts';

const OWN = toOwnSite('https://site.test');

const normal = suite('normaliseAddress');
for (const [text, expected] of [
  [' https://a.test ', 'https://a.test'],
  ['\u0000\u0001java\nscript:x', 'javascript:x'],
  ['java\tscr\ript:x', 'javascript:x'],
  ['a b', 'a b'],
  ['', ''],
  ['   ', ''],
] as const)
  normal(JSON.stringify(text), () => {
    assert.is(normaliseAddress(text), expected);
  });
normal.run();

const schemes = suite('schemeOf');
for (const [text, expected] of [
  ['JavaScript:x', 'javascript'],
  ['a+b-c.d:x', 'a+b-c.d'],
  ['/a:b', ''],
  ['1a:b', ''],
  [':x', ''],
  ['x', ''],
] as const)
  schemes(text, () => {
    assert.is(schemeOf(text), expected);
  });
schemes.run();

const urls = suite('toUrl');
for (const [text, expected] of [
  ['https://a.test/x', 'https://a.test/x'],
  ['//a.test', 'https://a.test/'],
  ['/x', 'https://site.test/x'],
  ['mailto:a@b.test', null],
  ['http://[bad', null],
  ['javascript:x', null],
] as const)
  urls(text, () => {
    assert.is(toUrl(text, OWN)?.href ?? null, expected);
  });
urls.run();

const hosts = suite('isHostOf');
const LIST = new Set(['bad.test', 'a.b.test']);
for (const [host, expected] of [
  ['bad.test', true],
  ['x.y.bad.test', true],
  ['notbad.test', false],
  ['b.test', false],
  ['a.b.test', true],
  ['test', false],
  ['', false],
] as const) {
  hosts(host, () => {
    assert.is(isHostOf(host, LIST), expected);
  });
}
hosts('an empty list contains nothing', () => {
  assert.is(isHostOf('bad.test', new Set()), false);
});
hosts.run();

const ips = suite('isIpHost');
for (const [url, expected] of [
  ['http://127.1/', true],
  ['http://0x7f000001/', true],
  ['http://2130706433/', true],
  ['http://[::1]/', true],
  ['http://1.2.3.4.test/', false],
  ['http://a.test/', false],
] as const) {
  ips(url, () => {
    assert.is(isIpHost(new URL(url).hostname), expected);
  });
}
ips.run();

const alike = suite('isLookAlike');
for (const [url, expected] of [
  ['https://ѕite.test/', true],
  ['https://sité.test/', true],
  ['https://www.ѕіte.test/', true],
  ['https://site.test/', false],
  ['https://www.site.test/', false],
  ['https://münchen.test/', false],
  ['https://site2.test/', false],
] as const)
  alike(url, () => {
    assert.is(isLookAlike(new URL(url).hostname, OWN), expected);
  });
alike.run();

const hidden = suite('toAddressPart');
for (const [url, expected] of [
  ['https://me:pw@a.test/x', 'https://***:***@a.test/x'],
  ['https://me@a.test/', 'https://***@a.test/'],
  ['https://a.test/?q=1', 'https://a.test/?q=1'],
] as const) {
  hidden(url, () => {
    assert.equal(toAddressPart(new URL(url)), { shown: expected, full: url });
  });
}
hidden.run();

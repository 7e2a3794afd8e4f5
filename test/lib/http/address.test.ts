import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAddress, parseTarget } from '../../../lib/http/address.ts';
import { codeOf } from '../../support/code-of.ts';

const HOST = { prefixes: ['en', 'fr'], base: '/cms-json', languageParam: 'ml_language' };

const FOUND: readonly (readonly [target: string, language: string, path: string, query: string])[] = [
  ['/en/cms-json', 'en', '/', ''],
  ['/en/cms-json/', 'en', '/', ''],
  ['/fr/cms-json?a=1', 'fr', '/', 'a=1'],
  ['/fr/cms-json/?a=1', 'fr', '/', 'a=1'],
  ['/en/cms-json/cms/v2/posts', 'en', '/cms/v2/posts', ''],
  ['/en/cms-json/cms/v2/posts/', 'en', '/cms/v2/posts', ''],
  ['/en/cms-json/cms/v2/posts//', 'en', '/cms/v2/posts/', ''],
  ['/en/cms-json//cms', 'en', '//cms', ''],
  ['/en/cms-json/cms/v2/posts/1?a=%20&b=?/', 'en', '/cms/v2/posts/1', 'a=%20&b=?/'],
  ['/en/cms-json/a%20b', 'en', '/a b', ''],
  ['/en/cms-json/%2541', 'en', '/%41', ''],
  ['/en/cms-json/%C3%A9', 'en', '/é', ''],
  ['/en/cms-json/a+b', 'en', '/a+b', ''],
  ['/en/cms-json/../x', 'en', '/../x', ''],
  ['/en/cms-json/%2e%2e/x', 'en', '/../x', ''],
  ['/en/cms-json/%3Fa', 'en', '/?a', ''],
  ['/en/?rest_route=/', 'en', '/', ''],
  ['/en?rest_route=/cms/v2/posts', 'en', '/cms/v2/posts', ''],
  ['/en/?rest_route=/cms/v2/posts/&page=2', 'en', '/cms/v2/posts', 'page=2'],
  ['/en/?a=1&rest_route=%2Fcms%2Fv2&b=2', 'en', '/cms/v2', 'a=1&b=2'],
  ['/en/?rest_route=', 'en', '/', ''],
  ['/cms-json', 'en', '/', ''],
  ['/cms-json/cms/v2/posts', 'en', '/cms/v2/posts', ''],
  ['/cms-json/cms/v2/posts?lang=fr', 'fr', '/cms/v2/posts', 'lang=fr'],
  ['/cms-json/cms/v2/posts?ml_language=fr', 'fr', '/cms/v2/posts', 'ml_language=fr'],
  ['/cms-json/cms/v2/posts?ml_language=nl', 'en', '/cms/v2/posts', 'ml_language=nl'],
  ['/cms-json/?constructor=fr', 'en', '/', 'constructor=fr'],
  ['/fr/cms-json/?lang=en', 'fr', '/', 'lang=en'],
  ['/?rest_route=/', 'en', '/', ''],
  ['/?rest_route=/cms/v2/posts&lang=fr', 'fr', '/cms/v2/posts', 'lang=fr'],
];

const FOREIGN = [
  '/',
  '/en',
  '/en/',
  '/nl/cms-json/',
  '/cms-jsonx',
  '/cms-jsonx?rest_route=/',
  '/en/cms-jsonx',
  '/en/CMS-JSON/',
  '/EN/cms-json/',
  '//en/cms-json/',
  '/en/page?x=1',
  '/en//cms-json/',
  '/%65n/cms-json/',
  '/en%2Fcms-json',
  '/?lang=fr',
  '/x?rest_route=/',
  '/en/x?rest_route=/',
  '/en/?rest_route[]=/',
  '/en/?a=rest_route',
];

const REFUSED: readonly (readonly [target: string, code: string])[] = [
  ['/en/cms-json/%', 'rest_invalid_encoding'],
  ['/en/cms-json/%zz', 'rest_invalid_encoding'],
  ['/en/cms-json/%ff', 'rest_invalid_encoding'],
  ['/en/cms-json/%C0%AE%C0%AE/', 'rest_invalid_encoding'],
  ['/en/cms-json/a%00', 'rest_invalid_encoding'],
  ['/en/cms-json/\u00e9', 'rest_invalid_encoding'],
  ['/en/cms-json/?search=\u00e9', 'rest_invalid_encoding'],
  ['/en/cms-json/cms%2Fv2', 'rest_no_route'],
  ['/en/?rest_route=/%zz', 'rest_invalid_encoding'],
  ['/en/?rest_route=cms/v2', 'rest_no_route'],
  ['/cms-json/?lang=nl', 'rest_invalid_param'],
  ['/cms-json/?lang[]=fr', 'rest_invalid_param'],
  ['/cms-json/%zz', 'rest_invalid_encoding'],
];

const address = suite('parseAddress');

address('finds language, path and query', () => {
  for (const [target, language, path, query] of FOUND)
    assert.equal(parseAddress(HOST, target), { language, path, query }, target);
});

address('leaves every other address alone', () => {
  for (const target of FOREIGN) assert.is(parseAddress(HOST, target), null, target);
});

address('refuses what it cannot decode', () => {
  for (const [target, code] of REFUSED)
    assert.is(
      codeOf(() => parseAddress(HOST, target)),
      code,
      target,
    );
});

address.run();

const target = suite('parseTarget');

target('decodes the path once and takes one trailing slash off', () => {
  assert.equal(parseTarget('/'), { path: '/', query: '' });
  assert.equal(parseTarget('/a%2520b/?c=%20'), { path: '/a%20b', query: 'c=%20' });
});

target.run();

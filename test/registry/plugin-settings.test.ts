import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createContentModel } from '../../registry/core/model/content-model.ts';
import { checkSettings, collections, CONFIGURED_NAMESPACES, createSite } from '../../registry/index.ts';
import { readSeoConfig } from '../../registry/plugins/seo/values/config.ts';
import { TEST_CONFIG } from '../support/ports.ts';
import { refusalOf } from '../support/refusal.ts';
import { PROJECT } from '../support/sources.ts';

const ENGINE = Object.fromEntries(
  [
    'createJobs',
    'readJobs',
    'fetchXliff',
    'confirm',
    'cancel',
    'register',
    'state',
    'syncUsers',
    'consoleUrl',
  ].map((name) => [name, async () => null]),
);
const TEXT_ENGINE = { id: 'a', label: 'A', languages: [], translate: async () => new Map() };
const ADDRESS = 'https://a.example/x';

/** Valid settings: every member of every namespace. */
const RIGHT: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  cms: { visitorComments: [true, false], uploads: [{}, { maxBytes: 1000, maxPixels: 1000 }] },
  oembed: {
    providers: [[], [{ hosts: ['films.example', '*.films.example'], paths: ['/watch'], endpoint: ADDRESS }]],
    embedPage: [true, false],
  },
  ml: {
    engine: [{ ...ENGINE, name: 'local' }],
    textEngines: [[], [TEXT_ENGINE]],
    appliedStatus: ['draft', 'original'],
    consoleUrl: [ADDRESS],
    serviceName: ['Agency'],
    extraRoutes: [true, false],
    deepl: [{}, { codes: { en: 'EN-GB' }, formality: 'less', glossaries: { 'en:fr': 'x' } }],
    libretranslate: [{}, { codes: { 'zh-hans': 'zh' }, apiKey: 'x' }],
  },
  secscan: {
    controllerPublicKey: ['ab'.repeat(32)],
    adminUrl: [ADDRESS],
    audience: ['x'],
    dataDirectory: ['/srv'],
    servedDirectories: [[], ['/srv']],
    freeMegabytes: [() => 5],
    weakPasswordUsers: [() => []],
    blockedHosts: [() => []],
    vulnerablePackages: [() => []],
  },
  seo: {
    introductions: [['welcome']],
    alerts: [[]],
    integrations: [['kwtool']],
    postTypes: [['post']],
    taxonomies: [['category']],
    mediaHosts: [['a.example']],
    accountBase: [ADDRESS],
    verification: [{ google: 'x' }],
    sitemaps: [true, false],
    redirects: [true, false],
    extraRoutes: [true, false],
    ranktracker: [{ authorizeUrl: ADDRESS, clientId: 'x', redirectUrl: ADDRESS }],
  },
  builder: { shortcodes: [{}, { badge: { block: false, render: () => '' } }] },
  photofeed: {
    provider: ['site', 'upstream', { list: async () => null, children: async () => null }],
    cacheMinutes: [30, 10_080],
  },
  pkg: {
    siteKey: ['', 'x'],
    licence: [{ status: 'valid' }, { status: 'valid', expires: '2030-01-01', products: ['a'] }],
    onSubscription: [() => undefined],
    extraRoutes: [true, false],
  },
};

const REFUSED: readonly (readonly [settings: unknown, refusal: string])[] = [
  [5, 'config: 5 is not an object'],
  [[], 'config: [] is not an object'],
  [{ ml: null }, 'config.ml: null is not an object'],
  [{ oembed: { providers: 'x' } }, 'config.oembed.providers: "x" is not a list'],
  [
    { oembed: { providers: [{ hosts: ['a.example'] }] } },
    'config.oembed.providers[0].endpoint is missing; it must be an http or https address',
  ],
  [
    { oembed: { providers: [{ hosts: ['A.example'], endpoint: ADDRESS }] } },
    'config.oembed.providers[0].hosts[0]: "A.example" is not a host in lower case, such as "films.example" or "*.films.example"',
  ],
  [
    { oembed: { providers: [{ hosts: [], endpoint: ADDRESS, path: [] }] } },
    'config.oembed.providers[0].path: unknown member; the members are hosts, paths, endpoint',
  ],
  [{ oembed: { embedPage: 'yes' } }, 'config.oembed.embedPage: "yes" is not true or false'],
  [{ ml: { appliedStatus: 'drfat' } }, 'config.ml.appliedStatus: "drfat" is not one of draft, original'],
  [
    { ml: { consoleUrl: 'javascript:1' } },
    'config.ml.consoleUrl: "javascript:1" is not an http or https address',
  ],
  [
    { ml: { engine: { ...ENGINE, name: 'far' } } },
    'config.ml.engine.name: "far" is not one of local, remote',
  ],
  [{ ml: { engine: { name: 'local' } } }, 'config.ml.engine.createJobs is missing; it must be a function'],
  [
    { ml: { textEngines: [TEXT_ENGINE, TEXT_ENGINE] } },
    'config.ml.textEngines: [{"id":"a","label":"A","languages":[]},{"id":"a","label":"A","languages":[]}] is not a list of {id, label, languages, translate} with unique ids other than "memory"',
  ],
  [
    { ml: { textEngines: [{ id: 'a', label: 'A', languages: [] }] } },
    'config.ml.textEngines[0].translate is missing; it must be a function',
  ],
  [
    { ml: { deepl: { formality: 'polite' } } },
    'config.ml.deepl.formality: "polite" is not one of default, more, less, prefer_more, prefer_less',
  ],
  [
    { ml: { deepl: { glossaries: { en: 'x' } } } },
    'config.ml.deepl.glossaries.en: the name is not a pair of languages such as "en:fr"',
  ],
  [
    { ml: { libretranslate: { apiKey: 5 } } },
    'config.ml.libretranslate.apiKey: the value is not a text that is not empty',
  ],
  [
    { secscan: { controllerPublicKey: 'ab' } },
    'config.secscan.controllerPublicKey: "ab" is not a key of 64 hexadecimal digits',
  ],
  [{ secscan: { servedDirectories: '/srv' } }, 'config.secscan.servedDirectories: "/srv" is not a list'],
  [{ secscan: { freeMegabytes: 5 } }, 'config.secscan.freeMegabytes: 5 is not a function'],
  [
    { seo: { introductoins: [] } },
    'config.seo.introductoins: unknown member; the members are introductions, alerts, integrations, postTypes, taxonomies, mediaHosts, accountBase, verification, sitemaps, redirects, extraRoutes, ranktracker',
  ],
  [{ seo: { introductions: 'welcome' } }, 'config.seo.introductions: "welcome" is not a list'],
  [{ seo: { alerts: ['a', 5] } }, 'config.seo.alerts[1]: 5 is not a text that is not empty'],
  [{ seo: { verification: { google: 5 } } }, 'config.seo.verification.google: 5 is not a text'],
  [
    { seo: { ranktracker: { authorizeUrl: ADDRESS, redirectUrl: ADDRESS } } },
    'config.seo.ranktracker.clientId is missing; it must be a text that is not empty',
  ],
  [
    { builder: { shortcodes: { Badge: { block: false, render: () => '' } } } },
    'config.builder.shortcodes.Badge: the name is not in lower case, such as "badge"',
  ],
  [
    { builder: { shortcodes: { badge: { render: () => '' } } } },
    'config.builder.shortcodes.badge.block is missing; it must be true or false',
  ],
  [
    { photofeed: { provider: 'sight' } },
    'config.photofeed.provider: "sight" is not "site", "upstream" or an object with list and children',
  ],
  [
    { photofeed: { provider: { list: () => null } } },
    'config.photofeed.provider.children is missing; it must be a function',
  ],
  [
    { photofeed: { cacheMinutes: 29 } },
    'config.photofeed.cacheMinutes: 29 is not a whole number from 30 to 10080',
  ],
  [{ pkg: { siteKey: 54_321 } }, 'config.pkg.siteKey: the value is not a text'],
  [
    { pkg: { licence: { stauts: 'valid' } } },
    'config.pkg.licence.stauts: unknown member; the members are status, expires, products',
  ],
];

const settings = suite('checkSettings');

for (const [given, refusal] of REFUSED)
  settings(`refuses ${JSON.stringify(given)}`, () =>
    assert.is(
      refusalOf(() => checkSettings('config', given)),
      refusal,
    ),
  );

settings('names the namespaces that have settings', () =>
  assert.equal(CONFIGURED_NAMESPACES, Object.keys(RIGHT)),
);

for (const [namespace, members] of Object.entries(RIGHT)) {
  settings(`accepts every setting of ${namespace}`, async () => {
    for (const [name, values] of Object.entries(members))
      for (const value of [...values, undefined]) checkSettings('config', { [namespace]: { [name]: value } });
    for (const at of [0, -1]) {
      const config = {
        [namespace]: Object.fromEntries(
          Object.entries(members).map(([name, values]) => [name, values.at(at)]),
        ),
      };
      const site = await createSite({
        store: createMemoryStore(collections),
        config,
        upstream: { origin: () => null, request: () => Promise.reject(new Error('not asked')) },
      });
      await site.close();
    }
  });

  settings(`has the settings of ${namespace} that docs/configuration.md names`, () => {
    const row =
      readFileSync(`${PROJECT}docs/configuration.md`, 'utf8')
        .split('\n')
        .find((line) => line.startsWith(`| \`${namespace}\``)) ?? '';
    const named = [
      ...row
        .split('|')
        .slice(2)
        .join('|')
        .matchAll(/`(\w+)[`:]/g),
    ].map((match) => match[1]);
    assert.equal([...new Set(named)].sort(), Object.keys(members).sort());
  });
}

settings.run();

const seo = suite('readSeoConfig');

seo('uses defaults for missing and undefined settings', () => {
  const config = readSeoConfig({
    content: createContentModel({ core: true, types: [{ name: 'book', base: 'books' }] }),
    config: { ...TEST_CONFIG, namespaces: { seo: { introductions: undefined, mediaHosts: ['A.Example'] } } },
  });
  assert.equal(
    [config.introductions, config.mediaHosts, config.ranktracker, config.postTypes],
    [['welcome'], ['a.example'], null, ['post', 'page', 'book']],
  );
});

seo.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { isObject } from '../../lib/core/objects.ts';
import { collectionsOf, createContentModel } from '../../registry/index.ts';
import { coreContent, coreFixture } from '../conformance/core-run.ts';
import { type Answer, createWholeSite, SITE_URL, type WholeSite } from '../support/whole-site.ts';

// Every link in every response of a core site leads somewhere: to a response, or to 401 or 403 where the caller may not look.
const API = new RegExp(`^${SITE_URL}/(?<language>[a-z]+)/cms-json(?<target>/.*)$`);

/** A link of the API, without the pages of the site and templates. */
interface Found {
  readonly relation: string;
  readonly href: string;
}

/** The links at any depth of a body, including those of embedded records. The routes of an index have links as well, although some take only writes. */
function listLinks(value: unknown): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap(listLinks);
  if (!isObject(value)) return [];
  const { _links: links, routes: _routes, ...members } = value;
  const here = Object.entries(isObject(links) ? links : {}).flatMap(([relation, all]) =>
    (Array.isArray(all) ? all : []).flatMap((link: unknown) =>
      isObject(link) && link['templated'] !== true ? [{ relation, href: String(link['href']) }] : [],
    ),
  );
  return [...here, ...Object.values(members).flatMap(listLinks)];
}

/** The links of the header: the pages before and after. */
function listPages({ headers }: Answer): readonly Found[] {
  return [...(headers['Link'] ?? '').matchAll(/<(?<href>[^>]+)>; rel="(?<relation>next|prev)"/g)].map(
    ({ groups }) => ({ relation: groups?.['relation'] ?? '', href: groups?.['href'] ?? '' }),
  );
}

/** The addresses below `cms/v2` that need no id. */
async function listStarts(site: WholeSite): Promise<readonly string[]> {
  const { routes } = (await site.ask({ target: '/cms/v2' })).body as {
    readonly routes: Readonly<Record<string, { readonly methods: readonly string[] }>>;
  };
  return Object.entries(routes)
    .filter(([pattern, { methods }]) => !pattern.includes('(') && methods.includes('GET'))
    .map(([pattern]) => pattern);
}

async function crawl(site: WholeSite, as: string | null): Promise<ReadonlyMap<string, number>> {
  const open: { readonly from: string; readonly target: string; readonly language: string }[] = (
    await listStarts(site)
  ).flatMap((pattern) =>
    ['', '?per_page=3&_embed', ...(as === 'admin' ? ['?context=edit&per_page=100'] : [])].map((query) => ({
      from: 'the index',
      target: `${pattern}${query}`,
      language: 'en',
    })),
  );
  const seen = new Set(open.map(({ target, language }) => `${language} ${target}`));
  const followed = new Map<string, number>();
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { from, target, language } = next;
    const answer = await site.ask({ target, as, language });
    const mayFail = [401, 403].includes(answer.status) || (answer.status === 400 && from === 'the index');
    assert.ok(
      answer.status < 300 || mayFail,
      `${target} as ${as}, linked from ${from}: ${answer.status} ${answer.text.slice(0, 200)}`,
    );
    for (const { relation, href } of [...listLinks(answer.body), ...listPages(answer)]) {
      const link = API.exec(href)?.groups;
      if (link === undefined) continue;
      followed.set(relation, (followed.get(relation) ?? 0) + 1);
      const [to = '', code = ''] = [link['target'], link['language']];
      if (seen.has(`${code} ${to}`)) continue;
      seen.add(`${code} ${to}`);
      open.push({ from: `${target} (${relation})`, target: to, language: code });
    }
  }
  return followed;
}

/** Relations that the content has links for. */
const RELATIONS = [
  'self',
  'collection',
  'about',
  'author',
  'replies',
  'version-history',
  'predecessor-version',
  'up',
  'cms:featuredmedia',
  'cms:attachment',
  'cms:term',
  'cms:post_type',
  'cms:items',
  'next',
  'prev',
];

const links = suite('links of a core site');

for (const as of [null, 'admin', 'author', 'subscriber']) {
  links(`lead somewhere for ${as ?? 'anonymous callers'}`, async () => {
    const store = createMemoryStore(collectionsOf(createContentModel(coreContent)));
    const site = await createWholeSite({ fixture: coreFixture, store, content: coreContent });
    try {
      const followed = await crawl(site, as);
      assert.equal(
        RELATIONS.filter(
          (relation) => !followed.has(relation) && (as === 'admin' || relation !== 'predecessor-version'),
        ),
        [],
        [...followed].join(' '),
      );
      assert.equal(site.logged, []);
    } finally {
      await site.close();
    }
  });
}

links.run();

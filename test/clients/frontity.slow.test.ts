import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileClient, hasClients, skipClient } from '../support/clients/installed.ts';
import { checkSequence } from '../support/clients/sequences.ts';
import { withClientServer } from '../support/clients/server.ts';

/** What the package knows of an address of the front end. */
interface Data {
  readonly isError?: true;
  readonly items?: readonly { readonly type: string; readonly id: number; readonly link: string }[];
  readonly total?: number;
  readonly type?: string;
  readonly taxonomy?: string;
  readonly id?: number;
}
interface Entity {
  readonly title: { readonly rendered: string };
  readonly author: number;
  readonly featured_media?: number;
}
interface Source {
  get(link: string): Data;
  readonly post: Readonly<Record<number, Entity>>;
  readonly author: Readonly<Record<number, { readonly name: string }>>;
  readonly attachment: Readonly<Record<number, { readonly source_url: string }>>;
}
interface FrontityStore {
  readonly state: { readonly source: Source };
  readonly actions: { readonly source: { init(): Promise<void>; fetch(link: string): Promise<void> } };
}
interface WpSource {
  readonly state: { readonly source: object; readonly wpSource: object };
  readonly actions: { readonly source: object };
  readonly libraries: object;
}
interface Frontity {
  wpSource(): WpSource;
  createStore(settings: object): FrontityStore;
}

const CODE =
  "export { default as wpSource } from '@frontity/wp-source/src/index'; export { createStore } from '@frontity/connect';";

function openStore({ wpSource, createStore }: Frontity, site: string): FrontityStore {
  const { state, actions, libraries } = wpSource();
  return createStore({
    state: {
      frontity: { url: 'https://front.example', rendering: 'ssr', options: {} },
      router: { link: '/' },
      wpSource: state.wpSource,
      source: {
        ...state.source,
        url: site,
        postTypes: [{ type: 'book', endpoint: 'books', archive: '/books' }],
        taxonomies: [{ taxonomy: 'genre', endpoint: 'genres', postTypeEndpoint: 'books' }],
      },
    },
    actions: { source: actions.source },
    libraries,
  });
}

/** Addresses of the front end, and the members that their data must have. */
const LINKS: readonly (readonly [link: string, data: Readonly<Record<string, unknown>>])[] = [
  ['/', { isPostArchive: true, type: 'post', total: 34 }],
  ['/page/2/', { isPostArchive: true, page: 2 }],
  ['/revised/', { isPostType: true, type: 'post', id: 144 }],
  ['/about/team/', { isPostType: true, type: 'page', id: 702 }],
  ['/category/news/', { isTaxonomy: true, taxonomy: 'category', id: 2, total: 3 }],
  ['/category/news/news-child/', { isTaxonomy: true, taxonomy: 'category', id: 3, total: 2 }],
  ['/tag/red/', { isTaxonomy: true, taxonomy: 'tag', id: 11, total: 3 }],
  ['/author/author/', { isAuthor: true, id: 3 }],
  ['/2024/01/', { isDate: true, year: 2024, month: 1 }],
  ['/books/', { isPostTypeArchive: true, type: 'book', total: 5 }],
  ['/book/cosmos/', { isPostType: true, type: 'book', id: 603 }],
  ['/genre/crime/', { isTaxonomy: true, taxonomy: 'genre', id: 92, total: 2 }],
  ['/?s=long', { isSearch: true, searchQuery: 'long' }],
  ['/no-such-page/', { isError: true, is404: true }],
];

function frontitySuite(): void {
  const frontity = suite('@frontity/wp-source');
  frontity(
    'finds posts, pages, terms, authors, dates, a type of its own and a search behind the addresses of the front end',
    async () => {
      const client = await compileClient<Frontity>(CODE);
      const requests = await withClientServer(async (origin) => {
        const { state, actions } = openStore(client, `${origin}/en/`);
        await actions.source.init();
        for (const [link, expected] of LINKS) {
          await actions.source.fetch(link);
          const data = { ...state.source.get(link) } as Readonly<Record<string, unknown>>;
          assert.equal(
            Object.fromEntries(Object.keys(expected).map((name) => [name, data[name]])),
            expected,
            `${link}: ${JSON.stringify(data).slice(0, 300)}`,
          );
        }
        // Entities that were embedded.
        const { post, author, attachment } = state.source;
        assert.is(author[post[144]?.author ?? 0]?.name, 'Author');
        assert.match(attachment[301]?.source_url ?? '', /\/en\/uploads\/2023\/12\/picture\.png$/);
      });
      checkSequence('@frontity/wp-source', requests);
    },
  );
  frontity.run();
}

if (hasClients()) frontitySuite();
else skipClient('@frontity/wp-source');

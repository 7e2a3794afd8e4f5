import { type Predicate, and, eq } from '../../../../lib/index.ts';
import { toPagePart } from '../../../plugin.ts';
import type { HeadFacts } from '../values/facts.ts';
import { toPageFacts, type PageContext } from '../values/page-context.ts';
import { fill } from '../values/phrases.ts';

/** A paged list of records. `url` is that of its first page; `where` selects its records. */
interface ArchiveFacts {
  readonly url: string;
  readonly page: number;
  readonly where: Predicate;
  /** Names of the types whose records it shows. Each of its pages shows a page of each type, as the lists of `findArchive` do. */
  readonly types: readonly string[];
  /** Whether the archive exists even when it is empty. */
  readonly mayBeEmpty: boolean;
  /** First part of the title, before the page number and the name of the site. */
  readonly label: string;
  readonly own: Partial<HeadFacts> & Pick<HeadFacts, 'kind' | 'heading'>;
}

/** The number of its pages: those of the type with the most records. */
async function countPages(
  { store, config, language, site }: PageContext,
  { where, types }: Pick<ArchiveFacts, 'where' | 'types'>,
): Promise<number> {
  const totals = await Promise.all(
    types
      .filter((type) => config.postTypes.includes(type))
      .map(async (type) => {
        const listed = and(eq('language', language), eq('status', 'publish'), eq('type', type), where);
        return (await store.find({ collection: 'posts', where: listed, fields: [], limit: 1, total: true }))
          .total;
      }),
  );
  return Math.ceil(Math.max(0, ...totals) / site.perPage);
}

/** The facts of one page of an archive; null when the archive does not have this page. Only the first page names its versions in other languages. */
export async function toArchivePage(
  context: PageContext,
  { url, page, where, types, mayBeEmpty, label, own }: ArchiveFacts,
): Promise<HeadFacts | null> {
  const { site, phrases } = context;
  const pages = Math.max(await countPages(context, { where, types }), mayBeEmpty ? 1 : 0);
  if (page > pages) return null;
  const urlOf = (number: number): string => url + toPagePart(number);
  return toPageFacts(context, {
    ...own,
    url: urlOf(page),
    alternates: page === 1 ? (own.alternates ?? {}) : {},
    title: [label, ...(page === 1 ? [] : [fill(phrases.page, page)]), site.name]
      .filter((part) => part !== '')
      .join(' - '),
    previous: page === 1 ? '' : urlOf(page - 1),
    next: page === pages ? '' : urlOf(page + 1),
  });
}

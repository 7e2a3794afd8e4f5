import { and, eq, oneOf, type Predicate } from '../../../lib/store/query.ts';
import { toPagePart } from '../address.ts';
import type { HeadFacts } from './facts.ts';
import { toPageFacts, type PageContext } from './page-context.ts';
import { fill } from './phrases.ts';

/** A paged list of posts. `url` is that of its first page; `where` selects its posts. */
export interface ArchiveFacts {
  readonly url: string;
  readonly page: number;
  readonly where: Predicate;
  /** Whether the archive exists even when it is empty. */
  readonly mayBeEmpty: boolean;
  /** First part of the title, before the page number and the name of the site. */
  readonly label: string;
  readonly own: Partial<HeadFacts> & Pick<HeadFacts, 'kind' | 'heading'>;
}

async function countPosts({ store, config, language }: PageContext, where: Predicate): Promise<number> {
  const listed = and(eq('language', language), eq('status', 'publish'), oneOf('type', config.postTypes), where);
  return (await store.find({ collection: 'posts', where: listed, fields: [], limit: 1, total: true })).total;
}

/** The facts of one page of an archive; null when the archive does not have this page. Only the first page names its versions in other languages. */
export async function toArchivePage(context: PageContext, { url, page, where, mayBeEmpty, label, own }: ArchiveFacts): Promise<HeadFacts | null> {
  const { site, phrases } = context;
  const total = await countPosts(context, where);
  const pages = Math.max(Math.ceil(total / site.perPage), mayBeEmpty ? 1 : 0);
  if (page > pages) return null;
  const urlOf = (number: number): string => url + toPagePart(number);
  return toPageFacts(context, {
    ...own, url: urlOf(page), alternates: page === 1 ? own.alternates ?? {} : {},
    title: [label, ...(page === 1 ? [] : [fill(phrases.page, page)]), site.name].filter((part) => part !== '').join(' - '),
    previous: page === 1 ? '' : urlOf(page - 1), next: page === pages || pages === 0 ? '' : urlOf(page + 1),
  });
}

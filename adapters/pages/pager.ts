import { escapeAttribute } from '../../lib/core/escape.ts';
import { trimEnd } from '../../lib/core/text.ts';
import { textsOf } from './page-texts.ts';

const PAGE = /\/page\/([1-9]\d{0,8})\/?$/;

/** The number in an address that ends with `/page/2/`; 1 in any other. */
export const readPageNumber = (pathname: string): number => Number(PAGE.exec(pathname)?.[1] ?? 1);

/** The address of the first page: `/en/` for `/en/page/2/`. */
export const toFirstPage = (pathname: string): string => `${trimEnd(pathname.replace(PAGE, ''), '/')}/`;

/** A page of so many. `query`: what belongs to the address of each, encoded. */
interface Paged {
  readonly page: number;
  readonly pages: number;
  readonly language: string;
  readonly query?: string;
}

/** Links to the pages before and after this one; '' for the only page. */
export function toPager(pathname: string, { page, pages, language, query = '' }: Paged): string {
  const { previous, next, pages: name } = textsOf(language);
  const first = escapeAttribute(toFirstPage(pathname));
  const toLink = (number: number, relation: 'prev' | 'next', text: string): string =>
    `<a href="${first}${number === 1 ? '' : `page/${number}/`}${query}" rel="${relation}">${text}</a>`;
  const links = [
    ...(page > 1 ? [toLink(page - 1, 'prev', `<span aria-hidden="true">← </span>${previous}`)] : []),
    ...(page < pages ? [toLink(page + 1, 'next', `${next}<span aria-hidden="true"> →</span>`)] : []),
  ];
  return links.length === 0 ? '' : `<nav class="pager" aria-label="${name}">${links.join('')}</nav>`;
}

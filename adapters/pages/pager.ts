import { escapeAttribute } from '../../lib/core/escape.ts';
import { trimEnd } from '../../lib/core/trim-end.ts';

const PAGE = /\/page\/([1-9]\d{0,8})\/?$/;

/** The number in an address that ends with `/page/2/`; 1 in any other. */
export const readPageNumber = (pathname: string): number => Number(PAGE.exec(pathname)?.[1] ?? 1);

/** The address of the first page: `/en/` for `/en/page/2/`. */
export const toFirstPage = (pathname: string): string => `${trimEnd(pathname.replace(PAGE, ''), '/')}/`;

/** A page of so many. `query`: what belongs to the address of each, encoded. */
export interface Paged {
  readonly page: number;
  readonly pages: number;
  readonly query?: string;
}

/** Links to the pages before and after this one. */
export function toPager(pathname: string, { page, pages, query = '' }: Paged): string {
  const first = escapeAttribute(toFirstPage(pathname));
  const toLink = (number: number, text: string): string => (number < 1 || number > pages ? '' : `<a href="${first}${number === 1 ? '' : `page/${number}/`}${query}">${text}</a> `);
  return `<p>${toLink(page - 1, '←')}${toLink(page + 1, '→')}</p>`;
}

import { renameParam, vendorHeader } from '../core/names.ts';
import { kindOf } from '../core/objects.ts';
import { toQuery } from '../http/query-string.ts';
import type { Call } from './call.ts';

/** A page of a result. `perPage`: number of items of a full page. */
export interface Page {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Items of a full page. */
  readonly perPage: number;
  /** Number of all items. */
  readonly total: number;
}

/** Number of items before the page: those of the previous pages, or the requested offset. At most the largest safe integer. */
export function toOffset({
  page,
  perPage,
  offset,
}: {
  page: number;
  perPage: number;
  offset?: number | undefined;
}): number {
  return Math.min(offset === undefined ? (page - 1) * perPage : Math.abs(offset), Number.MAX_SAFE_INTEGER);
}

/** Number of pages of the whole result. */
export function pagesOf({ perPage, total }: Page): number {
  return perPage === 0 ? 0 : Math.ceil(total / perPage);
}

/** `perPage`: the number of records of a page, if it is not the one that was asked for. Then the page alone says where it begins. */
function toPageLink(
  call: Call,
  page: number,
  { relation, perPage }: { readonly relation: string; readonly perPage?: number },
): string {
  const { names } = call.site;
  const offset = perPage === undefined ? null : renameParam(names, 'offset');
  const params: Record<string, unknown> = Object.fromEntries(
    [...call.sentQuery].filter(([name]) => name !== offset),
  );
  params[renameParam(names, 'page')] = page;
  if (perPage !== undefined) params[renameParam(names, 'per_page')] = perPage;
  return `<${call.site.wireUrl(call.request.path)}?${toQuery(params)}>; rel="${relation}"`;
}

/** A query without `total: true` has the total -1, which clients would take for the number of items. */
function checkPage({ page, perPage, total }: Page): void {
  for (const [name, value, least] of [
    ['page', page, 1],
    ['perPage', perPage, 0],
    ['total', total, 0],
  ] as const) {
    if (Number.isSafeInteger(value) && Number(value) >= least) continue;
    const advice = name === 'total' && value === -1 ? '; write total: true in the query of find' : '';
    throw new TypeError(
      `pageHeaders: ${name} is ${typeof value === 'number' ? value : kindOf(value)}; it must be a whole number of ${least} or more${advice}`,
    );
  }
}

/** The totals, and the links to the previous and next pages with all other query parameters. @throws TypeError for a member that is not such a number, such as the total of a query that did not ask for it */
export function pageHeaders(call: Call, page: Page): Record<string, string> {
  checkPage(page);
  const pages = pagesOf(page);
  const { names } = call.site;
  const links = [
    ...(page.page > 1 ? [toPageLink(call, Math.min(page.page - 1, pages), { relation: 'prev' })] : []),
    ...(page.page < pages ? [toPageLink(call, page.page + 1, { relation: 'next' })] : []),
  ];
  return {
    [vendorHeader(names, 'Total')]: String(page.total),
    [vendorHeader(names, 'TotalPages')]: String(pages),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  };
}

/**
 * The headers of a list that ends after `count` records, because more would be too large for a response: how many it has, and links that go on there
 * with pages of another size. `from`: number of items before it. `from` and `count` together are a multiple of `perPage`.
 */
export function cutHeaders(
  call: Call,
  { from, count, perPage }: { readonly from: number; readonly count: number; readonly perPage: number },
): Record<string, string> {
  const previous =
    from > 0 ? [toPageLink(call, Math.ceil(from / perPage), { relation: 'prev', perPage })] : [];
  return {
    [vendorHeader(call.site.names, 'Truncated')]: String(count),
    Link: [...previous, toPageLink(call, (from + count) / perPage + 1, { relation: 'next', perPage })].join(
      ', ',
    ),
  };
}

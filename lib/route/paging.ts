import type { Call } from './call.ts';
import { renameParam, vendorHeader } from '../core/names.ts';
import { kindOf } from '../core/objects.ts';
import { toQuery } from '../http/query-string.ts';

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
export function toOffset({ page, perPage, offset }: { page: number; perPage: number; offset: number | undefined }): number {
  return Math.min(offset === undefined ? (page - 1) * perPage : Math.abs(offset), Number.MAX_SAFE_INTEGER);
}

/** Number of pages of the whole result. */
export function pagesOf({ perPage, total }: Page): number {
  return perPage === 0 ? 0 : Math.ceil(total / perPage);
}

function toPageLink(call: Call, page: number, relation: string): string {
  const params: Record<string, unknown> = Object.fromEntries(call.sentQuery);
  params[renameParam(call.site.names, 'page')] = page;
  return `<${call.site.wireUrl(call.request.path)}?${toQuery(params)}>; rel="${relation}"`;
}

/** A query without `total: true` has the total -1, which clients would take for the number of items. */
function checkPage({ page, perPage, total }: Page): void {
  for (const [name, value, least] of [['page', page, 1], ['perPage', perPage, 0], ['total', total, 0]] as const) {
    if (Number.isSafeInteger(value) && Number(value) >= least) continue;
    const advice = name === 'total' && value === -1 ? '; write total: true in the query of find' : '';
    throw new TypeError(`pageHeaders: ${name} is ${typeof value === 'number' ? value : kindOf(value)}; it must be a whole number of ${least} or more${advice}`);
  }
}

/** The totals, and the links to the previous and next pages with all other query parameters. @throws TypeError for a member that is not such a number, such as the total of a query that did not ask for it */
export function pageHeaders(call: Call, page: Page): Record<string, string> {
  checkPage(page);
  const pages = pagesOf(page);
  const { names } = call.site;
  const links = [
    ...(page.page > 1 ? [toPageLink(call, Math.min(page.page - 1, pages), 'prev')] : []),
    ...(page.page < pages ? [toPageLink(call, page.page + 1, 'next')] : []),
  ];
  return {
    [vendorHeader(names, 'Total')]: String(page.total),
    [vendorHeader(names, 'TotalPages')]: String(pages),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  };
}

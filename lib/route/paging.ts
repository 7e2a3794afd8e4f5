import type { Call } from './call.ts';
import { renameParam, vendorHeader } from '../core/names.ts';
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

/** The totals, and the links to the previous and next pages with all other query parameters. */
export function pageHeaders(call: Call, page: Page): Record<string, string> {
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

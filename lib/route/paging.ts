import type { Call } from './call.ts';
import { renameParam, vendorHeader } from '../core/names.ts';
import { toQuery } from '../http/query-string.ts';

/** A page of a result. `perPage`: items of a full page. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
}

/** Items before the window: those of the pages before it, or as many as asked for. Never more than an integer can count. */
export function toOffset({ page, perPage, offset }: { page: number; perPage: number; offset: number | undefined }): number {
  return Math.min(offset === undefined ? (page - 1) * perPage : Math.abs(offset), Number.MAX_SAFE_INTEGER);
}

/** Pages of the whole result. */
export function pagesOf({ perPage, total }: Page): number {
  return perPage === 0 ? 0 : Math.ceil(total / perPage);
}

function toPageLink(call: Call, page: number, relation: string): string {
  const params: Record<string, unknown> = Object.fromEntries(call.sentQuery);
  params[renameParam(call.site.names, 'page')] = page;
  return `<${call.site.wireUrl(call.request.path)}?${toQuery(params)}>; rel="${relation}"`;
}

/** Totals and the links to the pages beside this one, with all other parameters of the query. */
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

import { own } from '../../lib/core/objects.ts';
import { RestError, StoreError, type RestResponse } from '../../lib/index.ts';
import { toBare, type Answer } from './page-answer.ts';

/** Seconds until a visitor may try again, where the API does not say so. */
const RETRY_AFTER = '5';

/** A request of a page to the API that failed. */
export class PageFailure extends Error {
  /** Status of the response. */
  readonly status: number;
  readonly retryAfter: string;

  /** `what`: what was read. */
  constructor(what: string, { status, headers }: RestResponse) {
    super(`${what} has status ${status}`);
    this.name = 'PageFailure';
    this.status = status;
    this.retryAfter = own(headers, 'Retry-After') ?? RETRY_AFTER;
  }
}

/** @throws PageFailure for a failure of the site */
export function checkAnswer(what: string, response: RestResponse): void {
  // What is too large is there.
  if (response.status >= 500 || response.status === 413) throw new PageFailure(what, response);
}

/** The page for what was thrown: 503 while the storage or the site is unavailable or overloaded, otherwise 500. */
export function toFailurePage(error: unknown, language: string): Answer {
  if (error instanceof PageFailure && error.status === 503)
    return { ...toBare(503, language), retryAfter: error.retryAfter };
  if (error instanceof RestError && error.status === 503)
    return {
      ...toBare(error.status, language),
      retryAfter: own(error.headers, 'Retry-After') ?? RETRY_AFTER,
    };
  const isUnavailable =
    error instanceof StoreError && (error.code === 'unavailable' || error.code === 'closed');
  return isUnavailable ? { ...toBare(503, language), retryAfter: RETRY_AFTER } : toBare(500, language);
}

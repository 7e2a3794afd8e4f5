import { own } from '../../lib/core/objects.ts';
import { RestError, type RestResponse, StoreError } from '../../lib/index.ts';
import { type Answer, toBare } from './page-answer.ts';

/** Seconds until a visitor may try again, where the API does not say so. */
const RETRY_AFTER = '5';

/** A request of a page to the API that failed. */
export class PageFailure extends Error {
  /** Status of the response. */
  readonly status: number;
  readonly headers: RestResponse['headers'];

  /** `what`: what was read. */
  constructor(what: string, { status, headers }: RestResponse) {
    super(`${what} has status ${status}`);
    this.name = 'PageFailure';
    this.status = status;
    this.headers = headers;
  }
}

/** @throws PageFailure for a failure of the site */
export function checkAnswer(what: string, response: RestResponse): void {
  // What is too large is there, and so is what is guarded from too many guesses.
  if (response.status >= 500 || response.status === 413 || response.status === 429)
    throw new PageFailure(what, response);
}

/** Whether the visitor, or many together, asked too much: nothing is broken. */
export const isOfCaller = ({ status }: { readonly status: unknown }): boolean =>
  status === 503 || status === 429;

/** The page for what was thrown: 503 while the storage or the site is unavailable or overloaded, 429 for a visitor who must wait, otherwise 500. */
export function toFailurePage(error: unknown, language: string): Answer {
  const isUnavailable =
    error instanceof StoreError && (error.code === 'unavailable' || error.code === 'closed');
  const { status, headers } =
    error instanceof PageFailure || error instanceof RestError
      ? error
      : { status: isUnavailable ? 503 : 500, headers: {} };
  const mustWait = isOfCaller({ status });
  const isShown = mustWait || (error instanceof RestError && Number(status) < 500);
  return {
    ...toBare(isShown ? Number(status) : 500, language),
    retryAfter: mustWait ? (own(headers, 'Retry-After') ?? RETRY_AFTER) : undefined,
  };
}

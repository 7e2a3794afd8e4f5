import { engineError } from '../../lib/core/errors.ts';
import { perNames, renameParam, vendorHeader, type Names } from '../../lib/core/names.ts';
import { own } from '../../lib/core/objects.ts';
import { parseQuery } from '../../lib/http/query-string.ts';
import type { RestRequest } from '../../lib/http/request.ts';

/** Neutral name of the parameter that stands for the header: `_wpnonce` of WordPress. */
const PARAM = '_nonce';

const toWords = perNames((names) => ({ header: vendorHeader(names, 'Nonce').toLowerCase(), param: renameParam(names, PARAM) }));

/**
 * Refuses a nonce from a caller without other credentials. It belongs to a session, and the site has none: the session is
 * over, or it was never one of this site. A client made for WordPress then asks for another nonce.
 * @throws RestError `rest_cookie_invalid_nonce`
 */
export function checkNonce(names: Names, { headers, query, body }: Pick<RestRequest, 'headers' | 'query' | 'body'>): void {
  const { header, param } = toWords(names);
  const isSent = own(headers, header) !== undefined
    || (query.includes(param) && own(parseQuery(query).params, param) !== undefined)
    || (body.kind === 'form' && own(body.params, param) !== undefined);
  if (isSent) throw engineError('rest_cookie_invalid_nonce');
}

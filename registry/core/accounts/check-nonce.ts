import { engineError } from '../../../lib/core/errors.ts';
import { perNames, renameParam, vendorHeader, type Names } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import { parseQuery } from '../../../lib/http/query-string.ts';
import type { RestRequest } from '../../../lib/http/request.ts';

/** Neutral name of the parameter that can replace the header: `_wpnonce` of WordPress. */
const PARAM = '_nonce';

const toWords = perNames((names) => ({
  header: vendorHeader(names, 'Nonce').toLowerCase(),
  param: renameParam(names, PARAM),
}));

/**
 * Rejects a nonce without other credentials. A nonce belongs to a session, and this site has none: the session has expired
 * or was never one of this site. A WordPress client then requests a new nonce.
 * @throws RestError `rest_cookie_invalid_nonce`
 */
export function checkNonce(
  names: Names,
  { headers, query, body }: Pick<RestRequest, 'headers' | 'query' | 'body'>,
): void {
  const { header, param } = toWords(names);
  const isSent =
    own(headers, header) !== undefined ||
    (query.includes(param) && own(parseQuery(query).params, param) !== undefined) ||
    (body.kind === 'form' && own(body.params, param) !== undefined);
  if (isSent) throw engineError('rest_cookie_invalid_nonce');
}

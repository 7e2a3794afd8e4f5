import { TOKEN } from './media-type.ts';
import { RawBody, type RestResponse } from './response.ts';

const NAME = new RegExp(`^${TOKEN}$`);
/** A header's value as RFC 9110 has it: Latin-1 without control characters other than the tab. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Here, where the log still says whose answer it was: whoever sends it could only refuse it. @throws TypeError for what can not be sent as HTTP */
export function checkSendable({ status, headers, content }: RestResponse): void {
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new TypeError(`a handler answered status ${String(status)}, which is not from 200 to 599`);
  for (const name in headers) {
    const value: unknown = headers[name];
    // Left out by whoever sends it.
    if (value === undefined) continue;
    if (!NAME.test(name)) throw new TypeError(`a handler answered the header ${JSON.stringify(name)}, which is no header name`);
    if (typeof value !== 'string' || !VALUE.test(value)) throw new TypeError(`a handler answered the header ${name}: ${JSON.stringify(value)}, which is no text of Latin-1 in one line`);
  }
  if (content instanceof RawBody) checkRawBody(content);
}

function checkRawBody({ type, content }: RawBody): void {
  if (typeof type !== 'string' || !VALUE.test(type)) throw new TypeError('a handler answered a RawBody whose first argument is no media type');
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) throw new TypeError('a handler answered a RawBody whose second argument is neither a text nor bytes');
}

import { engineError, type RestError } from '../../lib/core/errors.ts';
import { TOKEN } from '../../lib/core/text.ts';
import type { BodyPart } from '../../lib/http/request.ts';

/** Most bytes and lines of the headers of one part. Browsers send two or three short lines. */
const HEADER_BYTES = 16 * 1024;
const HEADER_LINES = 32;
/**
 * The parser drops what exceeds its limits, without a report. Its limits are larger, so that the check sees the excess.
 * A folded line may lose two of three bytes.
 */
export const PARSER_LIMITS = { maxHeaderSize: 4 * HEADER_BYTES, maxHeaderPairs: HEADER_LINES + 1 } as const;

/** The headers of one part: by name in lower case, the values as Latin-1. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;
export type PartHead = Omit<BodyPart, 'bytes'>;

const PARAMETER = new RegExp(
  `;[ \\t]*(?:(${TOKEN})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;"\\s]*)))?[ \\t]*`,
  'y',
);
/** RFC 8187 3.2.1. */
const EXTENDED = /^(utf-8|iso-8859-1)'[^']*'((?:[^%]|%[\da-f]{2})*)$/i;

export function partError(fault: string, cause?: unknown): RestError {
  return engineError('rest_invalid_multipart', { message: `A part of the multipart body ${fault}.`, cause });
}

function toText(binary: string, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(Buffer.from(binary, 'latin1'));
  } catch (cause) {
    throw partError('has a name that is not UTF-8', cause);
  }
}

function toExtendedText(value: string): string {
  const [, charset, text = ''] = EXTENDED.exec(value) ?? [];
  if (charset === undefined) throw partError('has a Content-Disposition header that is not valid');
  return toText(
    text.replaceAll(/%(..)/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    charset,
  );
}

/** Reads the parameters of `form-data`. A backslash escapes only quotes and itself, because browsers send it as it is. */
function readParameters(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (
    let at = disposition.match(/^form-data[ \t]*/i)?.[0].length ?? 0;
    at < disposition.length;
    at = PARAMETER.lastIndex
  ) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(disposition);
    if (match === null) throw partError('has a Content-Disposition header that is not valid');
    const name = match[1]?.toLowerCase();
    if (name === undefined) continue;
    if (parameters.has(name)) throw partError(`has a Content-Disposition header with more than one ${name}`);
    const value = match[2]?.replaceAll(/\\(["\\])/g, '$1') ?? match[3] ?? '';
    parameters.set(name, name.endsWith('*') ? toExtendedText(value) : toText(value));
  }
  return parameters;
}

function checkSize(headers: PartHeaders): void {
  const lines = Object.entries(headers).flatMap(([name, values = []]) =>
    values.map((value) => name.length + value.length + ': \r\n'.length),
  );
  if (lines.length > HEADER_LINES) throw partError(`has more than ${HEADER_LINES} header lines`);
  if (lines.reduce((sum, bytes) => sum + bytes, 0) > HEADER_BYTES)
    throw partError(`has more than ${HEADER_BYTES} bytes of headers`);
}

function withoutControls(text: string | undefined, what: string): string | undefined {
  if (text !== undefined && /\p{Cc}/u.test(text)) throw partError(`has a ${what} with control characters`);
  return text;
}

/** Some browsers sent whole paths. */
function toBasename(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name === '.' || name === '..' ? '' : name;
}

/** @throws RestError `rest_invalid_multipart` */
export function readPartHead(headers: PartHeaders): PartHead {
  checkSize(headers);
  const [disposition, ...more] = headers['content-disposition'] ?? [];
  if (disposition === undefined) throw partError('has no Content-Disposition header');
  if (more.length > 0) throw partError('has more than one Content-Disposition header');
  if (!/^form-data[ \t]*(?:;|$)/i.test(disposition))
    throw partError('has a Content-Disposition header that is not form-data');
  const parameters = readParameters(disposition);
  const name = withoutControls(parameters.get('name*') ?? parameters.get('name'), 'name');
  if (name === undefined) throw partError('has no name');
  const filename = withoutControls(parameters.get('filename*') ?? parameters.get('filename'), 'file name');
  const type = headers['content-type']?.[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  return {
    name,
    filename: filename === undefined ? null : toBasename(filename),
    type: type === '' ? 'text/plain' : type,
  };
}

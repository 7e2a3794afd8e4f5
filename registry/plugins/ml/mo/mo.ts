/** A translated message. `plural`: '' when it has none; `translations`: one text per plural form. */
export interface MoMessage {
  readonly context: string;
  readonly id: string;
  readonly plural: string;
  readonly translations: readonly string[];
}

/** A .mo file. `headers` are keyed by lower-case name. */
export interface MoFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly messages: readonly MoMessage[];
}

/** The bytes are not a .mo file, or the file refers to data beyond its end. */
export class MoError extends Error {
  override readonly name = 'MoError';
}

// GNU gettext manual 10.3 "The Format of GNU MO Files".
const MAGIC = 0x950412de;
const HEADER_BYTES = 28;
type Decoder = InstanceType<typeof TextDecoder>;

const CONTEXT_END = '\u0004';
const FORM_END = '\u0000';

interface Table {
  readonly view: DataView;
  readonly bytes: Uint8Array;
  readonly littleEndian: boolean;
}

function openTable(bytes: Uint8Array): Table {
  if (bytes.length < HEADER_BYTES)
    throw new MoError(`the file must have a header of ${HEADER_BYTES} bytes, but has only ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = view.getUint32(0, true) === MAGIC;
  if (!littleEndian && view.getUint32(0) !== MAGIC)
    throw new MoError('the file does not start with the magic number of a .mo file');
  if (view.getUint32(4, littleEndian) >>> 16 > 1)
    throw new MoError('the version of the .mo format is not supported');
  return { view, bytes, littleEndian };
}

/** The texts of one of the two tables, as bytes. Their total length must not exceed the file. Otherwise overlapping entries could expand a small file without limit. */
function readTexts({ view, bytes, littleEndian }: Table, start: number, count: number): Uint8Array[] {
  if (start + count * 8 > bytes.length) throw new MoError('the table of texts exceeds the end of the file');
  let total = 0;
  return Array.from({ length: count }, (_, index) => {
    const length = view.getUint32(start + index * 8, littleEndian);
    const offset = view.getUint32(start + index * 8 + 4, littleEndian);
    total += length;
    if (offset + length > bytes.length || total > bytes.length)
      throw new MoError(`text ${index + 1} exceeds the end of the file`);
    return bytes.subarray(offset, offset + length);
  });
}

function toHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** The charset from the header; UTF-8 by default. */
function toDecoder(header: Uint8Array | undefined): Decoder {
  const charset = /charset=([\w-]+)/i.exec(Buffer.from(header ?? []).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true });
  } catch (cause) {
    throw new MoError(`the charset "${charset}" is unknown`, { cause });
  }
}

function decode(decoder: Decoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new MoError(`a text is not valid ${decoder.encoding}`, { cause });
  }
}

function toMessage(original: string, translation: string): MoMessage {
  const end = original.indexOf(CONTEXT_END);
  const [id = '', plural = ''] = original.slice(end + 1).split(FORM_END);
  return {
    context: end < 0 ? '' : original.slice(0, end),
    id,
    plural,
    translations: translation.split(FORM_END),
  };
}

/**
 * Reads a .mo file of either byte order, in the charset from its header.
 * @throws MoError
 */
export function readMo(bytes: Uint8Array): MoFile {
  const table = openTable(bytes);
  const field = (at: number): number => table.view.getUint32(at, table.littleEndian);
  const originals = readTexts(table, field(12), field(8));
  const translations = readTexts(table, field(16), field(8));
  const headerAt = originals.findIndex((text) => text.length === 0);
  const decoder = toDecoder(translations[headerAt]);
  const messages = originals.map((text, index) =>
    toMessage(decode(decoder, text), decode(decoder, translations[index] ?? new Uint8Array())),
  );
  return {
    headers: toHeaders(messages[headerAt]?.translations[0] ?? ''),
    messages: messages.filter((message) => message.id !== '' || message.context !== ''),
  };
}

const clean = (text: string): string => text.replaceAll(CONTEXT_END, '').replaceAll(FORM_END, '');

function toPair({ context, id, plural, translations }: MoMessage): readonly [Buffer, Buffer] {
  const original =
    (context === '' ? '' : clean(context) + CONTEXT_END) +
    clean(id) +
    (plural === '' ? '' : FORM_END + clean(plural));
  return [Buffer.from(original), Buffer.from(translations.map(clean).join(FORM_END))];
}

const ENCODING = {
  'mime-version': '1.0',
  'content-type': 'text/plain; charset=UTF-8',
  'content-transfer-encoding': '8bit',
};

const ABBREVIATIONS = /(?<=^|-)(?:mime|pot?)(?=-)|(?<=^|-)[a-z]/g;

/** `MIME-Version`, `Project-Id-Version`: gettext compares the names of headers letter by letter. */
const toHeaderName = (name: string): string => name.replaceAll(ABBREVIATIONS, (part) => part.toUpperCase());

const toHeaderText = (headers: MoFile['headers']): string =>
  Object.entries({ ...headers, ...ENCODING })
    .map(([name, value]) => `${toHeaderName(name)}: ${value.replaceAll(/[\r\n]/g, ' ')}\n`)
    .join('');

/** The bytes of a .mo file in UTF-8. Messages are sorted by bytes, because readers use binary search. */
export function writeMo({ headers, messages }: MoFile): Uint8Array {
  const header: readonly [Buffer, Buffer] = [Buffer.alloc(0), Buffer.from(toHeaderText(headers))];
  const pairs = [
    header,
    ...messages.filter((message) => message.id !== '' || message.context !== '').map(toPair),
  ].sort((a, b) => Buffer.compare(a[0], b[0]));
  const originalsAt = HEADER_BYTES;
  const translationsAt = originalsAt + pairs.length * 8;
  const head = Buffer.alloc(translationsAt + pairs.length * 8);
  [MAGIC, 0, pairs.length, originalsAt, translationsAt, 0, head.length].forEach((value, index) =>
    head.writeUInt32LE(value, index * 4),
  );
  const texts = [...pairs.map(([original]) => original), ...pairs.map(([, translation]) => translation)];
  let offset = head.length;
  texts.forEach((text, index) => {
    head.writeUInt32LE(text.length, originalsAt + index * 8);
    head.writeUInt32LE(offset, originalsAt + index * 8 + 4);
    offset += text.length + 1;
  });
  const end = Buffer.alloc(1);
  return Buffer.concat([head, ...texts.flatMap((text) => [text, end])]);
}

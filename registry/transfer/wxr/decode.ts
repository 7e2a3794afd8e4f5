import { TextDecoder } from 'node:util';

const BYTE_ORDER_MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
/** The declaration stands at the beginning of the file. PHP may print a few lines before it. */
const DECLARATION_BYTES = 512;
const DECLARED = /<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;

function findEncoding(start: Uint8Array): string {
  const [, marked] =
    BYTE_ORDER_MARKS.find(([bytes]) => bytes.every((byte, index) => start[index] === byte)) ?? [];
  return (
    marked ??
    DECLARED.exec(Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString('latin1'))?.[1] ??
    'utf-8'
  );
}

/** @throws TypeError for an encoding that this platform does not know */
function createDecoder(start: Uint8Array): TextDecoder {
  const encoding = findEncoding(start);
  try {
    return new TextDecoder(encoding);
  } catch (error) {
    throw new TypeError(`the encoding "${encoding}" of the file is not known; convert it to UTF-8`, {
      cause: error,
    });
  }
}

/** A part of a text. `isExact`: all bytes up to its end are of the encoding. A U+FFFD is then one of the text itself. */
export interface DecodedText {
  readonly text: string;
  readonly isExact: boolean;
}

function isValid(strict: TextDecoder, chunk: Uint8Array | undefined): boolean {
  try {
    strict.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false; // TypeError: bytes that are not of the encoding
  }
}

/** Yields the text of an XML file in the encoding that it declares. Bytes that are not valid in it become U+FFFD. @throws TypeError */
export async function* decodeXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<DecodedText> {
  let decoder: TextDecoder | null = null;
  let strict: TextDecoder | null = null;
  let isExact = true;
  for await (const chunk of bytes) {
    decoder ??= createDecoder(chunk);
    strict ??= new TextDecoder(decoder.encoding, { fatal: true });
    isExact &&= isValid(strict, chunk);
    yield { text: decoder.decode(chunk, { stream: true }), isExact };
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield { text: rest, isExact: isExact && strict !== null && isValid(strict, undefined) };
}

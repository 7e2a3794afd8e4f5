import { brand } from '../core/objects.ts';

/** A JSON document that is already written, as text or as UTF-8. It is parsed only if its value is needed. */
export class JsonText {
  /** The JSON, as text or in UTF-8. */
  readonly content: string | Uint8Array;

  constructor(content: string | Uint8Array) {
    this.content = content;
  }

  /** The JSON as text. */
  get text(): string {
    const { content } = this;
    return typeof content === 'string'
      ? content
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
  }

  /** Parses the document. Each call returns a new value. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

brand(JsonText, 'JsonText');

/** Bytes as a JSON document: `{ "type": "image/png", "base64": "…" }`. */
export class JsonBytes extends JsonText {
  /** Media type. */
  readonly type: string;
  readonly base64: string;

  constructor(type: string, bytes: Uint8Array) {
    const base64 = Buffer.from(bytes).toString('base64');
    super(JSON.stringify({ type, base64 }));
    this.type = type;
    this.base64 = base64;
  }
}

const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d] as const;

/** Joins documents that are already written into a list, as UTF-8. */
export function toJsonList(documents: readonly Uint8Array[]): JsonText {
  if (documents.length === 0) return new JsonText('[]');
  // Each document follows a bracket or a comma.
  let at = 0;
  const list = Buffer.allocUnsafe(documents.reduce((sum, { length }) => sum + 1 + length, 1));
  for (const document of documents) {
    list[at] = at === 0 ? OPEN : COMMA;
    list.set(document, at + 1);
    at += 1 + document.length;
  }
  list[at] = CLOSE;
  return new JsonText(list);
}

/** Writes a value as JSON. @throws TypeError for a value that JSON cannot hold (a cycle, a BigInt). */
export function writeJson(value: unknown): string | Uint8Array {
  if (value instanceof JsonText) return value.content;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('the body of the response is not JSON');
  return text;
}

/**
 * JSON texts of documents that are served again and again, kept with the document itself. Only for values
 * that never change; they are gone when the document is.
 */
const texts = new WeakMap<object, string>();

/** Marks a frozen document: its text is made once. */
export function keepText<T extends object>(document: T): T {
  texts.set(document, JSON.stringify(document));
  return document;
}

/** The JSON text of an answer's body. @throws TypeError for what JSON can not say (a cycle, a BigInt). */
export function toJsonText(body: unknown): string {
  const kept = typeof body === 'object' && body !== null ? texts.get(body) : undefined;
  if (kept !== undefined) return kept;
  const text: string | undefined = JSON.stringify(body);
  if (text === undefined) throw new TypeError('the body of the answer is no JSON');
  return text;
}

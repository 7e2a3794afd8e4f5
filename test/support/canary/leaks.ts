import { isObject } from '../../../lib/core/objects.ts';
import type { Answer } from '../whole-site.ts';
import { maySeeField } from './entitled.ts';
import { type Caller, POSTS } from './fixture.ts';
import { findWords, type Word } from './words.ts';

const BY_ID = new Map(POSTS.map((post) => [post.id, post]));

const nameOf = ({ field, post }: Word): string => `${field}${post}`;

/** Posts whose password is in the request. */
function knownPasswords(sent: string): ReadonlySet<number> {
  return new Set(
    findWords(sent)
      .filter(({ field }) => field === 'p')
      .map(({ post }) => post),
  );
}

function isLeak(word: Word, caller: Caller, known: ReadonlySet<number>): boolean {
  const post = BY_ID.get(word.post);
  return (
    post === undefined ||
    !maySeeField(caller, post, { field: word.field, knowsPassword: known.has(word.post) })
  );
}

/** Separates body and headers. An envelope has both in its body. */
function split({ body, text, headers }: Answer, sent: string): readonly [body: string, headers: string] {
  const outer = Object.entries(headers).flat().join('\n');
  if (!sent.includes('_envelope') || !isObject(body)) return [text, outer];
  const { headers: inner, ...rest } = body;
  return [JSON.stringify(rest), outer + JSON.stringify(inner)];
}

/**
 * Canary words of a response that the caller may not see. Words that the caller sent may be repeated in headers only
 * (links to other pages repeat the parameters).
 */
export function findLeaks(answer: Answer, caller: Caller, sent: string): readonly string[] {
  const known = knownPasswords(sent);
  const echoed = new Set(findWords(sent).map(nameOf));
  const [body, headers] = split(answer, sent);
  const inHeaders = findWords(headers).filter((word) => !echoed.has(nameOf(word)));
  return [...findWords(body), ...inHeaders].filter((word) => isLeak(word, caller, known)).map(nameOf);
}

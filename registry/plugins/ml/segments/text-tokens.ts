import { createMemo, normalize, readHtml } from '../../../plugin.ts';

/** Elements whose content is not language. */
const CODE: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'math', 'iframe', 'object', 'template']);

/** The texts and tags of an HTML text, in order. The content of scripts, drawings and the like is left out. */
interface Parts {
  readonly onText: (text: string) => void;
  readonly onTag: (tag: string) => void;
}

export function readParts(html: string, { onText, onTag }: Parts): void {
  const closed: string[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') onText(text);
    text = '';
  };
  readHtml(
    html,
    {
      start: ({ name, selfClosing }) => {
        if (closed.length > 0) return;
        flush();
        onTag(`<${name}>`);
        if (CODE.has(name) && !selfClosing) closed.push(name);
      },
      end: ({ name }) => {
        if (closed.length > 0 && closed.at(-1) !== name) return;
        closed.pop();
        flush();
        onTag(`</${name}>`);
      },
      text: (part) => {
        if (closed.length === 0) text += part;
      },
      comment: () => {
        if (closed.length === 0) {
          flush();
          onTag('<!---->');
        }
      },
    },
    { raw: 'place' },
  );
  flush();
}

// Creating one takes milliseconds. There is one for each language of the site.
const segmenters = createMemo<Intl.Segmenter>(100);

const segmenterOf = (language: string): Intl.Segmenter =>
  segmenters(language, () => {
    const [supported = 'und'] = /^[a-z]{2,3}(-|$)/i.test(language)
      ? Intl.Segmenter.supportedLocalesOf([language.split('-')[0] ?? 'und'])
      : [];
    return new Intl.Segmenter(supported, { granularity: 'word' });
  });

/** Longest run without white space whose words are remembered. */
const MAX_KNOWN = 40;
/** Most characters that are cut together. The time that `Intl.Segmenter` takes grows with the square of their number. */
const WINDOW = 500;
/** The words that begin in the last characters of a window are cut again with what follows: the end may have cut them. */
const OVERLAP = 50;

/** Cuts texts of one language into words. */
export interface WordReader {
  /** The words of a plain text, without the punctuation between them. They are cut while they are read. */
  words(text: string): Iterable<string>;
}

/** The next characters of a run, without half of a surrogate pair at the end. */
function toWindow(run: string, from: number): string {
  const part = run.slice(from, from + WINDOW);
  return from + part.length < run.length && /[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part;
}

/** The words of a run, window by window. */
function* cutRun(run: string, segmenter: Intl.Segmenter): Generator<string, undefined, void> {
  for (let from = 0; from < run.length;) {
    const part = toWindow(run, from);
    const isLast = from + part.length === run.length;
    let end = 0;
    for (const { segment, index, isWordLike } of segmenter.segment(part)) {
      const next = index + segment.length;
      if (!isLast && index > 0 && (index >= WINDOW - OVERLAP || next === part.length)) break;
      end = next;
      if (isWordLike === true) yield segment;
    }
    from += end;
  }
}

/**
 * Words as Unicode defines them (UAX 29, by `Intl.Segmenter`). No word reaches across white space, so each run between white space is
 * cut by itself and remembered: cutting it again would take most of the time.
 */
export function createWordReader(language: string): WordReader {
  const segmenter = segmenterOf(language);
  const known = new Map<string, readonly string[]>();
  const wordsOf = (run: string): Iterable<string> => {
    if (run.length > MAX_KNOWN) return cutRun(run, segmenter);
    const words = known.get(run) ?? [...cutRun(run, segmenter)];
    known.set(run, words);
    return words;
  };
  return {
    *words(text) {
      for (const run of text.split(/\s+/u)) if (run !== '') yield* wordsOf(run);
    },
  };
}

/** What a fuzzy match compares: the words of an HTML text in lower case, and its tags by name. Of a text that has more than `most` of them, only the first ones, and more than that. */
export function toTokens(html: string, reader: WordReader, most = Infinity): readonly string[] {
  const tokens: string[] = [];
  readParts(html, {
    onText: (text) => {
      if (tokens.length > most) return;
      for (const word of reader.words(text)) {
        tokens.push(normalize(word, 'NFKC').toLowerCase());
        if (tokens.length > most) return;
      }
    },
    onTag: (tag) => {
      tokens.push(tag);
    },
  });
  return tokens;
}

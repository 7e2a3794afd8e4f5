import { readHtml } from '../../content/html.ts';
import { normalize } from '../../../lib/core/normalize.ts';

/** Elements whose content is not language. */
const CODE: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'math', 'iframe', 'object', 'template']);

/** The texts and tags of an HTML text, in order. The content of scripts, drawings and the like is left out. */
interface Parts {
  readonly onText: (text: string) => void;
  readonly onTag: (tag: string) => void;
}

function readParts(html: string, { onText, onTag }: Parts): void {
  const closed: string[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') onText(text);
    text = '';
  };
  readHtml(html, {
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
    text: (part) => { if (closed.length === 0) text += part; },
    comment: () => { if (closed.length === 0) { flush(); onTag('<!---->'); } },
  }, { raw: 'place' });
  flush();
}

// Creating one takes milliseconds. There is one for each language of the site.
const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const [supported = 'und'] = /^[a-z]{2,3}(-|$)/i.test(language) ? Intl.Segmenter.supportedLocalesOf([language.split('-')[0] ?? 'und']) : [];
  const created = new Intl.Segmenter(supported, { granularity: 'word' });
  segmenters.set(language, created);
  return created;
}

/** Longest run without white space whose words are remembered. */
const MAX_KNOWN = 40;

/** Cuts texts of one language into words. */
export interface WordReader {
  /** The words of a plain text, without the punctuation between them. */
  words(text: string): readonly string[];
}

/**
 * Words as Unicode defines them (UAX 29, by `Intl.Segmenter`). No word reaches across white space, so each run between white space is
 * cut by itself and remembered: cutting it again would take most of the time.
 */
export function createWordReader(language: string): WordReader {
  const segmenter = segmenterOf(language);
  const known = new Map<string, readonly string[]>();
  const cut = (run: string): readonly string[] => [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment);
  const wordsOf = (run: string): readonly string[] => {
    if (run.length > MAX_KNOWN) return cut(run);
    const words = known.get(run) ?? cut(run);
    known.set(run, words);
    return words;
  };
  return { words: (text) => text.split(/\s+/u).flatMap((run) => (run === '' ? [] : wordsOf(run))) };
}

/** What a fuzzy match compares: the words of an HTML text in lower case, and its tags by name. */
export function toTokens(html: string, reader: WordReader): readonly string[] {
  const tokens: string[] = [];
  readParts(html, {
    onText: (text) => { for (const word of reader.words(text)) tokens.push(normalize(word, 'NFKC').toLowerCase()); },
    onTag: (tag) => { tokens.push(tag); },
  });
  return tokens;
}

/** How much there is to translate. `characters`: without white space. */
export interface TextSize {
  readonly words: number;
  readonly characters: number;
}

/** Counts the words and characters of an HTML text. Tags, attributes and scripts do not count. */
export function measureText(html: string, reader: WordReader): TextSize {
  let words = 0;
  let characters = 0;
  readParts(html, {
    onText: (text) => {
      words += reader.words(text).length;
      for (const character of text) if (!/\s/u.test(character)) characters += 1;
    },
    onTag: () => undefined,
  });
  return { words, characters };
}

import { readHtmlSteps, type Steps } from '../../../plugin.ts';
import { listMissingTerms, type TermFinder } from '../glossary/glossary.ts';
import type { JobField } from '../records/job-texts.ts';
import { listMissing } from './losses.ts';

/** The tags of a text: `a`, `/a`. */
function* listTags(text: string): Steps<readonly string[]> {
  const tags: string[] = [];
  yield* readHtmlSteps(
    text,
    {
      start: ({ name }) => {
        tags.push(name);
      },
      end: ({ name }) => {
        tags.push(`/${name}`);
      },
    },
    { raw: 'place' },
  );
  return tags;
}

/** The start tags of a text by name, their attributes (`a[href]="/x"`), and the comments as written. */
interface Markup {
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
  readonly comments: readonly string[];
}

function* listMarkup(text: string): Steps<Markup> {
  const elements: string[] = [];
  const attributes: string[] = [];
  const comments: string[] = [];
  yield* readHtmlSteps(
    text,
    {
      start: (tag) => {
        elements.push(tag.name);
        for (const { name, value } of tag.attributes) attributes.push(`${tag.name}[${name}]=${value}`);
      },
      comment: (_inside, { from, to }) => {
        comments.push(text.slice(from, to));
      },
    },
    { raw: 'place', positions: true },
  );
  return { elements, attributes, comments };
}

/** What a translation lost although it was taken. `unit`: id of the text, '' for the file. `names`: elements, tags, inline codes, units or terms. */
export type DeliveryWarning = {
  readonly code:
    | 'tags_lost'
    | 'markup_removed'
    | 'inline_code_unknown'
    | 'units_missing'
    | 'term_lost'
    | 'term_not_used';
  readonly unit: string;
  readonly message: string;
  readonly names: readonly string[];
};

const MAX_NAMES = 50;
const NAME_LENGTH = 40;

const nameComment = (comment: string): string =>
  comment
    .slice(0, NAME_LENGTH)
    .split(/[\s>]/, 2)
    .slice(0, comment.startsWith('<!-- ') ? 2 : 1)
    .join(' ');

function toWarning(
  code: DeliveryWarning['code'],
  unit: string,
  { message, names }: { message: string; names: readonly string[] },
): readonly DeliveryWarning[] {
  const list = [...new Set(names)].slice(0, MAX_NAMES);
  return list.length === 0
    ? []
    : [
        {
          code,
          unit,
          message: `${unit === '' ? '' : `${unit}: `}${message}: ${list.join(', ')}`,
          names: list,
        },
      ];
}

/** Tags of the source that its translation lacks. */
export function* warnOfTags({ id, source }: JobField, target: string): Steps<readonly DeliveryWarning[]> {
  return toWarning('tags_lost', id, {
    message: 'tags of the source are missing',
    names: listMissing(yield* listTags(source), yield* listTags(target)),
  });
}

/** What was removed by cleaning: elements (`script`), attributes (`a[onclick]`) and comments by their beginning (`<?php`). */
export function* warnOfCleaning(
  unit: string,
  target: string,
  cleaned: string,
): Steps<readonly DeliveryWarning[]> {
  if (target === cleaned) return [];
  const before = yield* listMarkup(target);
  const after = yield* listMarkup(cleaned);
  const elements = new Set(listMissing(before.elements, after.elements));
  const attributes = listMissing(before.attributes, after.attributes).map((each) =>
    each.slice(0, each.indexOf('=')),
  );
  const kept = new Set(after.elements);
  const names = [
    ...elements,
    ...attributes.filter((each) => kept.has(each.slice(0, each.indexOf('[')))),
    ...listMissing(before.comments, after.comments).map(nameComment),
  ];
  return toWarning('markup_removed', unit, {
    message: 'markup was removed, because the user may not write it',
    names,
  });
}

/** Inline codes that do not stand for any markup of the source. */
export const warnOfCodes = (unit: string, names: readonly string[]): readonly DeliveryWarning[] =>
  toWarning('inline_code_unknown', unit, { message: 'inline codes are not known', names });

/** Terms of the glossary that the translation lacks: protected ones, and others whose translation it does not have. */
export function* warnOfTerms(
  { id, source }: JobField,
  target: string,
  finder: TermFinder,
): Steps<readonly DeliveryWarning[]> {
  const missing = yield* listMissingTerms(finder, source, target);
  const lost = missing.filter(({ translation }) => translation === null).map(({ term }) => term);
  const other = missing.flatMap(({ term, translation }) =>
    translation === null ? [] : [`${term} → ${translation}`],
  );
  return [
    ...toWarning('term_lost', id, { message: 'terms that must not be translated are missing', names: lost }),
    ...toWarning('term_not_used', id, { message: 'the translation does not use the glossary', names: other }),
  ];
}

/** Units that a file of an older state of the post lacks. The job is not ready before it has them. */
export const warnOfUnits = (names: readonly string[]): readonly DeliveryWarning[] =>
  toWarning('units_missing', '', { message: 'the job is not ready, because these units are missing', names });

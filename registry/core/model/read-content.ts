import { isObject, own } from '../../../lib/core/objects.ts';
import { OFFERED_TYPES } from './built-in.ts';
import { checkContent, listShapeFaults } from './check-content.ts';
import type { ContentDefinition } from './content-definition.ts';

type Members = Readonly<Record<string, unknown>>;
type Member = readonly [name: string, value: unknown];

/** Values that the recorded site describes in words. Other values pass unchanged. */
const PHRASES: Readonly<Record<string, string>> = {
  'as posts': 'post',
  'as pages': 'page',
  'only callers who may manage the settings (administrators)': 'manage_options',
};

const toPlain = (value: unknown): unknown =>
  typeof value === 'string' ? (own(PHRASES, value) ?? value) : value;

/** The words of WordPress for members of a type or taxonomy, with ours. */
const NAMES: Readonly<Record<string, string>> = {
  rest_base: 'base',
  has_archive: 'hasArchive',
  rights: 'capabilities',
  shown_as: 'show',
  shown: 'show',
};
/** The words of WordPress for labels. */
const LABELS: Readonly<Record<string, string>> = { label: 'name', singular: 'singular' };
/** The only rights of registered taxonomies in the recorded form. They are the default. */
const USUAL_TERM_RIGHTS = 'as categories';

function toMember([name, value]: Member): Member {
  return [own(NAMES, name) ?? name, toPlain(value)];
}

/** @throws TypeError for a member that is given under both of its names */
function toOurWords(place: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const labels = Object.entries(value).flatMap(([name, each]) =>
    Object.hasOwn(LABELS, name) ? [[own(LABELS, name), each] as const] : [],
  );
  const members = Object.entries(value)
    .filter(
      ([name, each]) => !Object.hasOwn(LABELS, name) && !(name === 'rights' && each === USUAL_TERM_RIGHTS),
    )
    .map(toMember);
  const all: readonly Member[] =
    labels.length === 0 ? members : [...members, ['labels', Object.fromEntries(labels)]];
  const twice = all.find(([name], index) => all.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new TypeError(`${place}.${twice[0]} is given twice, under two names`);
  return Object.fromEntries(all);
}

/** A text stands for a type that WordPress has and that a site need not have. */
const toKnownType = (each: unknown): unknown =>
  typeof each === 'string' ? (OFFERED_TYPES.find(({ name }) => name === each) ?? each) : each;

const LISTS: ReadonlySet<string> = new Set(['types', 'taxonomies', 'meta']);

/**
 * Reads types, taxonomies and meta keys from a document or from code. The words of WordPress (`rest_base`, `label`, `has_archive`, …)
 * are accepted beside ours.
 * @throws TypeError naming the place of the first mistake: `content.types[0].supports[2]: "titel" is not one of title, …`
 */
export function readContent(place: string, value: unknown): ContentDefinition {
  const inOurWords = isObject(value) ? toLists(place, value) : value;
  checkContent(place, inOurWords);
  return inOurWords;
}

/** What is wrong with types, taxonomies and meta keys: all mistakes of their members, otherwise the first of what they say together. */
export function listContentFaults(place: string, value: unknown): readonly string[] {
  try {
    const faults = listShapeFaults(place, isObject(value) ? toLists(place, value) : value);
    if (faults.length > 0) return faults;
    readContent(place, value);
    return [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [error.message];
  }
}

function toLists(place: string, value: Members): Members {
  return Object.fromEntries(
    Object.entries(value).map(([name, list]) => [
      name,
      LISTS.has(name) && Array.isArray(list)
        ? list.map((each: unknown, index) =>
            toOurWords(`${place}.${name}[${index}]`, name === 'types' ? toKnownType(each) : each),
          )
        : list,
    ]),
  );
}

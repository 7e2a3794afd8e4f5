import type { Json } from '../../../../lib/index.ts';
import { isObject, own } from '../../../plugin.ts';
import { isAddressOrEmpty, toMembers } from '../values/scalars.ts';

type Judge = (value: unknown) => boolean;
type Judges = Readonly<Record<string, Judge>>;
type Members = Readonly<Record<string, Json>>;

const MAX_TEXT = 1000;

const isText: Judge = (value) => typeof value === 'string' && value.length <= MAX_TEXT;
const isFlag: Judge = (value) => typeof value === 'boolean';

/** Fields of an object that a line can set. Robots flags are in `robots`. */
const META: Judges = {
  title: isText,
  description: isText,
  focus_phrase: isText,
  breadcrumb_title: isText,
  canonical: isAddressOrEmpty,
  og_title: isText,
  og_description: isText,
  og_image: isAddressOrEmpty,
  twitter_title: isText,
  twitter_description: isText,
  twitter_image: isAddressOrEmpty,
  cornerstone: isFlag,
};
const ROBOTS: Judges = {
  noindex: isFlag,
  nofollow: isFlag,
  noarchive: isFlag,
  noimageindex: isFlag,
  nosnippet: isFlag,
};

/** Settings that a line can set, by option. */
const SETTINGS = {
  representation: {
    company_or_person: (value: unknown) => value === 'company' || value === 'person',
    company_name: isText,
    website_name: isText,
    description: isText,
    company_logo: isAddressOrEmpty,
    person_logo: isAddressOrEmpty,
  },
  profiles: {
    network_a_site: isAddressOrEmpty,
    network_b_site: (value: unknown) => typeof value === 'string' && /^\w{0,25}$/.test(value),
    other_social_urls: (value: unknown) =>
      Array.isArray(value) && value.length <= 50 && value.every((url) => isAddressOrEmpty(url) && url !== ''),
  },
} as const satisfies Readonly<Record<string, Judges>>;

/** A line about an object: the object and the fields to set. */
export interface ObjectLine {
  readonly id: number;
  readonly slug: string;
  readonly url: string;
  readonly language: string;
  readonly fields: Members;
}

export interface SettingLine {
  readonly option: keyof typeof SETTINGS;
  readonly values: Members;
}

/** The content of a line, or why it is invalid. */
export type Parsed<T> = { readonly line: T } | { readonly fault: string };

function parseObject(text: string): Parsed<Members> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { line: toMembers(value) } : { fault: 'the line is not a JSON object' };
  } catch {
    // The parser's message gives an offset in a line that the user does not see.
    return { fault: 'the line is not valid JSON' };
  }
}

/** The problem of the first member that is unknown or has an invalid value. */
function findFault(members: Members, judges: Judges): string | undefined {
  const name = Object.keys(members).find((each) => own(judges, each)?.(own(members, each)) !== true);
  return name === undefined
    ? undefined
    : `"${name.slice(0, 64)}" is an unknown field or has an invalid value`;
}

const toKey = (value: unknown): string => (typeof value === 'string' && value.length <= 2048 ? value : '');

/** Reads a line of `posts.jsonl` or `terms.jsonl`. */
export function parseObjectLine(text: string): Parsed<ObjectLine> {
  const parsed = parseObject(text);
  if ('fault' in parsed) return parsed;
  const { id, slug, url, language, robots, ...words } = parsed.line;
  const flags = toMembers(robots);
  const fault = findFault(words, META) ?? findFault(flags, ROBOTS);
  if (fault !== undefined) return { fault };
  const key = {
    id: Number.isSafeInteger(id) ? Number(id) : 0,
    slug: toKey(slug),
    url: toKey(url),
    language: toKey(language),
  };
  if (key.id === 0 && key.slug === '' && key.url === '')
    return { fault: 'the line must identify an object with id, slug or url' };
  return { line: { ...key, fields: { ...words, ...flags } } };
}

/** Reads a line of `settings.jsonl`. */
export function parseSettingLine(text: string): Parsed<SettingLine> {
  const parsed = parseObject(text);
  if ('fault' in parsed) return parsed;
  const { option, values } = parsed.line;
  if (option !== 'representation' && option !== 'profiles')
    return { fault: '"option" must be representation or profiles' };
  const members = toMembers(values);
  const fault = findFault(members, SETTINGS[option]);
  return fault === undefined ? { line: { option, values: members } } : { fault };
}

import type { ArticleFacts, HeadFacts } from '../values/head-facts.ts';

/** Maximum length of a summary that is taken from the text, in characters. */
const SUMMARY_LENGTH = 155;

/** The beginning of a text, cut between words, with an ellipsis when it was cut. */
export function toSummary(text: string, length: number = SUMMARY_LENGTH): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim();
  if (clean.length <= length) return clean;
  const kept = clean.slice(0, length);
  const space = kept.lastIndexOf(' ');
  return `${(space > length / 2 ? kept.slice(0, space) : kept.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}…`;
}

/** What variables stand for. */
export interface TemplateFacts extends Pick<HeadFacts, 'heading' | 'description' | 'opening' | 'meta'> {
  readonly site: Pick<HeadFacts['site'], 'name' | 'description'>;
  readonly article:
    | (Pick<ArticleFacts, 'published' | 'modified' | 'sections' | 'keywords'> & {
        readonly author: { readonly name: string } | null;
      })
    | null;
  readonly person: { readonly name: string } | null;
}

type Read = (facts: TemplateFacts) => string;

const dateOf = (time: string): string => time.slice(0, 10);
const now = (): string => new Date().toISOString();

/** The variables of titles and summaries, by their name between two percent signs. A variable without a value is empty. */
const VARIABLES: ReadonlyMap<string, Read> = new Map<string, Read>(
  Object.entries<Read>({
    title: ({ heading }) => heading,
    term_title: ({ heading }) => heading,
    archive_title: ({ heading }) => heading,
    sep: () => '-',
    sitename: ({ site }) => site.name,
    sitedesc: ({ site }) => site.description,
    tagline: ({ site }) => site.description,
    excerpt: ({ description, opening }) => description || toSummary(opening),
    excerpt_only: ({ description }) => description,
    term_description: ({ description }) => description,
    category: ({ article }) => article?.sections.join(', ') ?? '',
    primary_category: ({ article }) => article?.sections[0] ?? '',
    tag: ({ article }) => article?.keywords.join(', ') ?? '',
    name: ({ article, person }) => article?.author?.name ?? person?.name ?? '',
    date: ({ article }) => dateOf(article?.published ?? ''),
    modified: ({ article }) => dateOf(article?.modified ?? ''),
    focuskw: ({ meta }) => meta.focus_phrase,
    currentyear: () => now().slice(0, 4),
    currentmonth: () => now().slice(5, 7),
    currentday: () => now().slice(8, 10),
    currentdate: () => dateOf(now()),
  }),
);

/** Fills in the variables of a text that an editor wrote: `%%title%% %%sep%% %%sitename%%`. Unknown ones are removed, and the space around empty ones. */
export function fillTemplate(text: string, facts: TemplateFacts): string {
  if (!text.includes('%%')) return text;
  return text
    .replaceAll(/%%([\w-]{1,64})%%/g, (_all, name: string) => VARIABLES.get(name)?.(facts) ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Titles and summaries of a page: what an editor set for this place, otherwise for the page, otherwise what the page contains. */
export function toTexts(facts: HeadFacts) {
  const { meta, title, description, opening } = facts;
  const filled = (text: string): string => fillTemplate(text, facts);
  const ownTitle = filled(meta.title) || title;
  const ownSummary = filled(meta.description) || description;
  const [ogTitle, ogDescription] = [filled(meta.og_title), filled(meta.og_description)];
  return {
    title: ownTitle,
    description: ownSummary,
    ogTitle: ogTitle || ownTitle,
    ogDescription: ogDescription || ownSummary || toSummary(opening),
    twitterTitle: filled(meta.twitter_title) || ogTitle || ownTitle,
    twitterDescription: filled(meta.twitter_description) || ogDescription || ownSummary || toSummary(opening),
  };
}

export type HeadTexts = ReturnType<typeof toTexts>;

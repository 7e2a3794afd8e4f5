import type { HeadFacts } from '../values/facts.ts';

/** Directives by name, as in the response. Joined with commas they form the robots tag. */
export type Robots = Readonly<Record<string, string>>;

const LIMITS: Robots = {
  'max-snippet': 'max-snippet:-1',
  'max-image-preview': 'max-image-preview:large',
  'max-video-preview': 'max-video-preview:-1',
};

/** Kinds of pages that are never indexed. */
const HIDDEN: ReadonlySet<HeadFacts['kind']> = new Set(['search', 'error']);

/** Whether search engines may list the page. */
export function isIndexed(facts: HeadFacts): boolean {
  return !facts.meta.noindex && !HIDDEN.has(facts.kind);
}

/** The robots directives of a page. Snippet limits apply only to an indexed page. */
export function toRobots(facts: HeadFacts): Robots {
  const { meta } = facts;
  const indexed = isIndexed(facts);
  return {
    index: indexed ? 'index' : 'noindex',
    follow: meta.nofollow ? 'nofollow' : 'follow',
    ...(meta.noarchive ? { noarchive: 'noarchive' } : {}),
    ...(meta.noimageindex ? { noimageindex: 'noimageindex' } : {}),
    ...(meta.nosnippet ? { nosnippet: 'nosnippet' } : {}),
    ...(indexed && !meta.nosnippet ? LIMITS : {}),
  };
}

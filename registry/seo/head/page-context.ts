import type { Call } from '../../../lib/route/call.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Store } from '../../../lib/store/store.ts';
import type { SeoConfig } from '../config.ts';
import type { HeadFacts, SiteFacts } from './facts.ts';
import { NO_META } from './facts.ts';
import { fill, phrasesOf, type Phrases } from './phrases.ts';

/** What the facts of one page are gathered with. */
export interface PageContext {
  readonly store: Store;
  readonly config: SeoConfig;
  readonly site: SiteFacts;
  /** Languages of the site, the default one first. */
  readonly languages: readonly string[];
  readonly language: string;
  readonly phrases: Phrases;
  /** Absolute address of a path below the site. */
  absolute(path: string): string;
  /** Home page of a language, with a trailing slash. */
  home(language: string): string;
  /** The same for a page in another language. */
  in(language: string): Promise<PageContext>;
}

/** Languages in the order of preference: those that have a prefix of their own first. */
export function orderLanguages({ prefixes, languages }: { readonly prefixes: readonly string[]; readonly languages: readonly string[] }): readonly string[] {
  return [...new Set([...prefixes, ...languages])];
}

export type ContextParts = Pick<PageContext, 'store' | 'config' | 'site' | 'languages' | 'language' | 'in'> & { readonly call: Pick<Call, 'request' | 'site'> };

export function createPageContext({ call, ...parts }: ContextParts): PageContext {
  return {
    ...parts,
    phrases: phrasesOf(parts.language),
    absolute: (path) => `${call.request.siteUrl}${path}`,
    home: (language) => `${call.site.home(language)}/`,
  };
}

/** Facts of a page: what it has of its own, and nothing else. Its title is that of the site behind its heading. */
export function toPageFacts(context: PageContext, own: Partial<HeadFacts> & Pick<HeadFacts, 'kind' | 'url' | 'heading'>): HeadFacts {
  const home = { name: context.phrases.home, url: context.home(context.language) };
  return {
    language: context.language, title: `${own.heading} - ${context.site.name}`, description: '', opening: '', meta: NO_META, site: context.site,
    article: null, person: null, images: [], alternates: {}, isProtected: false, previous: '', next: '',
    trail: own.url === home.url ? [home] : [home, { name: own.heading, url: own.url }],
    ...own,
    defaultAlternate: toDefault(context, own.alternates ?? {}),
  };
}

/** The address for readers of any other language: that of the first language of the site which has the page. */
function toDefault({ languages }: PageContext, alternates: Readonly<Record<string, string>>): string {
  return languages.map((language) => own(alternates, language)).find((address) => address !== undefined) ?? '';
}

/** The page that says that there is no page. */
export function toErrorPage(context: PageContext): HeadFacts {
  return toPageFacts(context, { kind: 'error', url: '', heading: fill(context.phrases.notFound, ''), trail: [] });
}

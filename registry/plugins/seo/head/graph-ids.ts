import type { HeadFacts, PersonFacts } from '../values/facts.ts';

/** Ids of the nodes of a graph. They are URLs with fragments, by which nodes refer to each other. */
export const idOf = {
  page: ({ url }: HeadFacts): string => url,
  article: ({ url }: HeadFacts): string => `${url}#article`,
  image: ({ url }: HeadFacts): string => `${url}#primaryimage`,
  breadcrumb: ({ url }: HeadFacts): string => `${url}#breadcrumb`,
  site: ({ site }: HeadFacts): string => `${site.home}/#website`,
  owner: ({ site }: HeadFacts): string => `${site.home}/#${site.owner.type.toLowerCase()}`,
  logo: ({ site }: HeadFacts): string => `${site.home}/#/schema/logo`,
  person: ({ site }: HeadFacts, { slug }: PersonFacts): string => `${site.home}/#/schema/person/${slug}`,
};

/** A reference to another node. */
export const refer = (id: string): { readonly '@id': string } => ({ '@id': id });

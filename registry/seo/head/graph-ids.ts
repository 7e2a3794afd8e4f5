import type { HeadFacts, PersonFacts } from './facts.ts';

/** Ids of the pieces of a graph: fragments of addresses, by which pieces refer to each other. */
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

/** A reference to another piece. */
export const refer = (id: string): { readonly '@id': string } => ({ '@id': id });

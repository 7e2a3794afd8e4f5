import { and, eq, oneOf, type Predicate } from '../../lib/store/query.ts';
import type { AddressSources } from './addresses/find-target.ts';
import type { Ports } from './host/ports.ts';
import { servicesOf } from './services.ts';
import { orderLanguages } from './settings/languages.ts';

/** What finds the pages of a site by their addresses. */
export function toAddressSources(ports: Ports): AddressSources {
  const {
    store,
    config,
    content: { types, taxonomies },
  } = ports;
  return {
    store,
    types,
    taxonomies,
    settings: servicesOf(ports).settings,
    languages: orderLanguages(config),
  };
}

/** Published posts of these types. */
export const publishedOf = (types: readonly string[]): Predicate =>
  and(eq('status', 'publish'), oneOf('type', types));

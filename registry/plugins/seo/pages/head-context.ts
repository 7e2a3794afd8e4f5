import type { Call } from '../../../../lib/route/call.ts';
import type { AddressSources } from '../../../core/addresses/find-target.ts';
import { servicesOf } from '../../../core/services.ts';
import { orderLanguages } from '../../../core/settings/languages.ts';
import { createFindFilled } from '../../../core/terms/counts.ts';
import type { SeoDeps } from '../routes/deps.ts';
import { createPageContext, type PageContext } from '../values/page-context.ts';
import { readSiteFacts } from './site-facts.ts';

/** Loads the context of the pages of a language, as the caller sees the site. */
export type CreateHeadContext = (call: Call, language: string) => Promise<PageContext>;

/** What the heads of a site are made from. */
export function createHeadContext({ ports, config }: SeoDeps): {
  readonly sources: AddressSources;
  readonly createContext: CreateHeadContext;
} {
  const {
    store,
    content: { types, taxonomies },
  } = ports;
  const languages = orderLanguages(ports.config);
  const served = new Set(ports.config.prefixes);
  const sources = { store, types, taxonomies, settings: servicesOf(ports).settings, languages };
  const findFilled = createFindFilled(store, ports.config.prefixes);
  const createContext: CreateHeadContext = async (call, language) => {
    const settings = await sources.settings();
    const site = await readSiteFacts(store, { settings, config, language, home: call.site.home(language) });
    return createPageContext({
      store,
      config,
      site,
      settings,
      sources,
      findFilled,
      languages,
      served,
      language,
      call,
      in: (other) => createContext(call, other),
    });
  };
  return { sources, createContext };
}

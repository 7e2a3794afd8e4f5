import type { Call, Store, StoredRecord } from '../../../../lib/index.ts';
import {
  type AddressSources,
  type SiteSettings,
  createFindFilled,
  own,
  readOptions,
  toAddressSources,
} from '../../../plugin.ts';
import type { SeoDeps } from '../routes/routes.ts';
import type { SeoConfig } from '../values/config.ts';
import { toPlainText } from '../values/content-facts.ts';
import type { OwnerFacts, SiteFacts } from '../values/head-facts.ts';
import { createPageContext, type PageContext } from '../values/page-context.ts';
import { isWebAddress, toMembers, toNumber, toText, toTextList } from '../values/scalars.ts';

type Members = ReturnType<typeof toMembers>;

function toProfiles(
  profiles: Members,
  accountBase: string,
): Pick<OwnerFacts, 'sameAs' | 'handle' | 'publisher'> {
  const publisher = toText(profiles['network_a_site']);
  const handle = toText(profiles['network_b_site']);
  const account = handle === '' || accountBase === '' ? '' : `${accountBase}${handle}`;
  return {
    publisher,
    handle,
    sameAs: [publisher, account, ...toTextList(profiles['other_social_urls'])].filter((url) => url !== ''),
  };
}

function toPerson(
  user: StoredRecord | null,
  representation: Members,
): Pick<OwnerFacts, 'type' | 'name' | 'description' | 'logo'> {
  return {
    type: 'Person',
    name: toPlainText(toText(user?.['name'])),
    description: toPlainText(toText(user?.['description'])),
    logo: toText(representation['person_logo']),
  };
}

async function readOwner(
  store: Store,
  representation: Members,
  siteName: string,
): Promise<Pick<OwnerFacts, 'type' | 'name' | 'description' | 'logo'>> {
  if (representation['company_or_person'] === 'person') {
    const id = toNumber(representation['company_or_person_user_id']);
    const person = toPerson(id === 0 ? null : await store.get('users', id), representation);
    return person.name === '' ? { ...person, name: siteName } : person;
  }
  return {
    type: 'Organization',
    name: toText(representation['company_name']) || siteName,
    description: '',
    logo: toText(representation['company_logo']),
  };
}

/** The site as the pages of a language show it. `home`: without a trailing slash. */
interface SiteSources {
  readonly settings: SiteSettings;
  readonly config: SeoConfig;
  readonly language: string;
  readonly home: string;
}

/** Name, owner and profiles of the site as plain text, from its settings and those of `configuration/*`. */
async function readSiteFacts(
  store: Store,
  { settings, config, language, home }: SiteSources,
): Promise<SiteFacts> {
  const seo = await readOptions(store, 'seo');
  const representation = toMembers(seo['representation']);
  const name = toText(representation['website_name']) || toPlainText(own(settings.name, language) ?? '');
  const owner = await readOwner(store, representation, name);
  const logo = isWebAddress(owner.logo) ? owner.logo : '';
  return {
    name,
    description:
      toText(representation['description']) || toPlainText(own(settings.description, language) ?? ''),
    home,
    verification: config.verification,
    perPage: settings.postsPerPage,
    owner: { ...owner, logo, ...toProfiles(toMembers(seo['profiles']), config.accountBase) },
  };
}

/** Loads the context of the pages of a language, as the caller sees the site. */
type CreateHeadContext = (call: Call, language: string) => Promise<PageContext>;

/** What the heads of a site are made from. */
export function createHeadContext({ ports, config }: SeoDeps): {
  readonly sources: AddressSources;
  readonly createContext: CreateHeadContext;
} {
  const { store } = ports;
  const sources = toAddressSources(ports);
  const { languages } = sources;
  const served = new Set(ports.config.prefixes);
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

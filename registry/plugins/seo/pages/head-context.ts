import type { Call, Store } from '../../../../lib/index.ts';
import {
  createFindFilled,
  loadAddresses,
  loadTermAddresses,
  own,
  readOptions,
  toAddressSources,
} from '../../../plugin.ts';
import type { SeoDeps } from '../routes/routes.ts';
import { toPlainText } from '../values/content-facts.ts';
import type { SiteFacts } from '../values/head-facts.ts';
import { type PageContext, phrasesOf } from '../values/page-context.ts';
import { isWebAddress, toMembers, toNumber, toText, toTextList } from '../values/scalars.ts';

type Members = ReturnType<typeof toMembers>;

function toProfiles(profiles: Members, accountBase: string) {
  const publisher = toText(profiles['network_a_site']);
  const handle = toText(profiles['network_b_site']);
  const account = handle === '' || accountBase === '' ? '' : `${accountBase}${handle}`;
  return {
    publisher,
    handle,
    sameAs: [publisher, account, ...toTextList(profiles['other_social_urls'])].filter((url) => url !== ''),
  };
}

async function readOwner(store: Store, representation: Members, siteName: string) {
  if (representation['company_or_person'] === 'person') {
    const id = toNumber(representation['company_or_person_user_id']);
    const user = id === 0 ? null : await store.get('users', id);
    return {
      type: 'Person',
      name: toPlainText(toText(user?.['name'])) || siteName,
      description: toPlainText(toText(user?.['description'])),
      logo: toText(representation['person_logo']),
    } as const;
  }
  return {
    type: 'Organization',
    name: toText(representation['company_name']) || siteName,
    description: '',
    logo: toText(representation['company_logo']),
  } as const;
}

/** Name, owner and profiles of the site as plain text, from its settings and those of `configuration/*`. `home`: without a trailing slash. */
async function readSiteFacts(
  store: Store,
  { settings, config, language }: Pick<PageContext, 'settings' | 'config' | 'language'>,
  home: string,
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
export function createHeadContext({ ports, config }: SeoDeps) {
  const { store } = ports;
  const sources = toAddressSources(ports);
  const { languages } = sources;
  const served = new Set(ports.config.prefixes);
  const findFilled = createFindFilled(store, ports.config.prefixes);
  const createContext: CreateHeadContext = async (call, language) => {
    const settings = await sources.settings();
    const site = await readSiteFacts(store, { settings, config, language }, call.site.home(language));
    return {
      store,
      config,
      site,
      settings,
      sources,
      findFilled,
      languages,
      served,
      language,
      phrases: phrasesOf(language),
      addressesOf: async (posts) => {
        const addressOf = await loadAddresses(sources, posts);
        return (post) => addressOf(post, call.site);
      },
      termAddressesOf: async (terms) => {
        const addressOf = await loadTermAddresses(sources, terms);
        return (term) => addressOf({ ...term, language: term.language || language }, call.site);
      },
      absolute: (path) => `${call.site.pagesUrl}${path}`,
      home: (other) => `${call.site.home(other)}/`,
      in: (other) => createContext(call, other),
    };
  };
  return { sources, createContext };
}

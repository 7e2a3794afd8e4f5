import { type Args, RestResponse } from '../../../../lib/index.ts';
import { exceeds, type MaybePromise, own, renameParam } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { seoError } from '../values/errors.ts';
import { changeSeoOption } from '../values/options.ts';
import { isAddressOrEmpty, isWebAddress, toMembers } from '../values/scalars.ts';

const MOST_CHARACTERS = 1000;

/** Fields that can be stored, and how each is checked. '' and 0 clear a field. */
type Kind = 'word' | 'text' | 'address' | 'media' | 'user';

const FIELDS: Readonly<Record<string, Kind>> = {
  company_or_person: 'word',
  company_name: 'text',
  website_name: 'text',
  description: 'text',
  company_logo: 'address',
  person_logo: 'address',
  company_logo_id: 'media',
  person_logo_id: 'media',
  company_or_person_user_id: 'user',
};

/** The members that were given. */
const toGiven = (members: Args): ReturnType<typeof toMembers> =>
  toMembers(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));

/** The organization or person that the site represents. Either all given fields are stored or, when one is invalid, none. */
export function createRepresentationHandlers({
  ports: { store },
}: SeoDeps): HandlerGroup<'seo.configuration.representation'> {
  const exists = async (collection: string, value: unknown): Promise<boolean> =>
    value === 0 || (typeof value === 'number' && (await store.get(collection, value)) !== null);
  const judges: Readonly<Record<Kind, (value: unknown) => MaybePromise<boolean>>> = {
    word: () => true,
    text: (value) => !exceeds(value, { most: MOST_CHARACTERS }),
    address: isAddressOrEmpty,
    media: (value) => exists('media', value),
    user: (value) => exists('users', value),
  };

  async function listFailures(given: Args): Promise<readonly string[]> {
    const verdicts = await Promise.all(
      Object.entries(given).map(async ([field, value]) => ({
        field,
        valid: await judges[own(FIELDS, field) ?? 'word'](value),
      })),
    );
    return verdicts.filter(({ valid }) => !valid).map(({ field }) => field);
  }

  return {
    'seo.configuration.representation': async (args) => {
      const all: Args = args;
      const given = toGiven(Object.fromEntries(Object.keys(FIELDS).map((field) => [field, own(all, field)])));
      const failures = await listFailures(given);
      if (failures.length > 0)
        throw seoError('seo_representation_failed', {
          message: `Not saved. Invalid fields: ${failures.join(', ')}.`,
          data: { failures },
        });
      await changeSeoOption(store, 'representation', (value) => ({ ...toMembers(value), ...given }));
      return { success: true, status: 200 };
    },
  };
}

const HANDLE = /^\w{1,25}$/;

/** The account name in `name`, `@name` or a profile URL; null when there is none. '' stays ''. */
export function toHandle(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const name = isWebAddress(trimmed)
    ? (new URL(trimmed).pathname.split('/').find((part) => part !== '') ?? '')
    : trimmed;
  const handle = name.replace(/^@/, '');
  return HANDLE.test(handle) ? handle : null;
}

/** Profiles of the site on other networks. They become `sameAs`, publisher and card account of every head. Either all are saved or none. */
export function createProfileHandlers({
  ports: { store },
}: SeoDeps): HandlerGroup<'seo.configuration.profiles'> {
  return {
    'seo.configuration.profiles': async ({ network_a_site, network_b_site, other_social_urls }, { site }) => {
      const handle = network_b_site === undefined ? undefined : toHandle(network_b_site);
      const listed: readonly string[] | undefined = other_social_urls;
      const others = listed?.map((url) => url.trim());
      const failures = [
        ...(isAddressOrEmpty(network_a_site ?? '') ? [] : [renameParam(site.names, 'network_a_site')]),
        ...(handle === null ? [renameParam(site.names, 'network_b_site')] : []),
        ...(others ?? []).flatMap((url, index) =>
          isAddressOrEmpty(url) ? [] : [`other_social_urls-${index}`],
        ),
      ];
      if (failures.length > 0) {
        const error = 'Not saved: some profiles are not valid URLs.';
        return new RestResponse({ json: { success: false, status: 400, error, failures } }, { status: 400 });
      }
      const given = toGiven({
        network_a_site,
        network_b_site: handle,
        other_social_urls: others?.filter((url) => url !== ''),
      });
      await changeSeoOption(store, 'profiles', (value) => ({ ...toMembers(value), ...given }));
      return { json: { success: true, status: 200 } };
    },
  };
}

import type { Args } from '../../../../lib/index.ts';
import { type MaybePromise, exceeds, own } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { seoError } from '../values/errors.ts';
import { toMembers } from '../values/json.ts';
import { changeSeoOption } from '../values/options.ts';
import { isWebAddress } from '../values/web-address.ts';

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

/** The organization or person that the site represents. Either all given fields are stored or, when one is invalid, none. */
export function createRepresentationHandlers({
  ports: { store },
}: SeoDeps): HandlerGroup<'seo.configuration.representation'> {
  const exists = async (collection: string, value: unknown): Promise<boolean> =>
    value === 0 || (typeof value === 'number' && (await store.get(collection, value)) !== null);
  const judges: Readonly<Record<Kind, (value: unknown) => MaybePromise<boolean>>> = {
    word: () => true,
    text: (value) => !exceeds(value, { most: MOST_CHARACTERS }),
    address: (value) => value === '' || (typeof value === 'string' && isWebAddress(value)),
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
      const given = Object.fromEntries(
        Object.keys(FIELDS)
          .map((field) => [field, own(all, field)] as const)
          .filter(([, value]) => value !== undefined),
      );
      const failures = await listFailures(given);
      if (failures.length > 0)
        throw seoError('seo_representation_failed', {
          message: `Not saved. Invalid fields: ${failures.join(', ')}.`,
          data: { failures },
        });
      await changeSeoOption(store, 'representation', (value) => ({
        ...toMembers(value),
        ...toMembers(given),
      }));
      return { success: true, status: 200 };
    },
  };
}

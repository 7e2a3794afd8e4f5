import { RestResponse } from '../../../../lib/index.ts';
import { renameParam } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { toMembers } from '../values/json.ts';
import { changeSeoOption } from '../values/options.ts';
import { isWebAddress } from '../values/web-address.ts';

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
      const listed: readonly string[] | undefined = other_social_urls;
      const handle = network_b_site === undefined ? undefined : toHandle(network_b_site);
      const others = listed?.map((url) => url.trim());
      const failures = [
        ...(network_a_site === undefined || network_a_site === '' || isWebAddress(network_a_site)
          ? []
          : [renameParam(site.names, 'network_a_site')]),
        ...(handle === null ? [renameParam(site.names, 'network_b_site')] : []),
        ...(others ?? []).flatMap((url, index) =>
          url === '' || isWebAddress(url) ? [] : [`other_social_urls-${index}`],
        ),
      ];
      if (failures.length > 0) {
        return new RestResponse(
          {
            json: {
              success: false,
              status: 400,
              error: 'Not saved: some profiles are not valid URLs.',
              failures,
            },
          },
          { status: 400 },
        );
      }
      await changeSeoOption(store, 'profiles', (value) => ({
        ...toMembers(value),
        ...(network_a_site === undefined ? {} : { network_a_site }),
        ...(handle === undefined || handle === null ? {} : { network_b_site: handle }),
        ...(others === undefined ? {} : { other_social_urls: others.filter((url) => url !== '') }),
      }));
      return { json: { success: true, status: 200 } };
    },
  };
}

import { own } from '../../../lib/core/objects.ts';
import type { DescribeSite, SiteFacts } from '../../../lib/engine/site-facts.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { ReadSettings, SiteSettings } from './site-settings.ts';

const HOUR = 3_600_000;

/** As in WordPress, a password is only asked for over an encrypted connection. */
function toAuthentication({ siteUrl }: Call['request'], page: string | undefined): Partial<SiteFacts> {
  return page === undefined || !siteUrl.startsWith('https://')
    ? {}
    : { authentication: { 'application-passwords': { endpoints: { authorization: siteUrl + page } } } };
}

function toFacts(call: Call, settings: SiteSettings, gmtOffset: string): SiteFacts {
  const { language } = call.request;
  return {
    name: own(settings.name, language) ?? '',
    description: own(settings.description, language) ?? '',
    url: call.request.siteUrl,
    home: call.site.home(),
    gmt_offset: gmtOffset,
    timezone_string: settings.timezone,
    page_for_posts: own(settings.pageForPosts, language) ?? 0,
    page_on_front: own(settings.pageOnFront, language) ?? 0,
    show_on_front: settings.showOnFront,
  };
}

/** The description of the site in the index. `page`: path where a person gives a program an application password. The same object until the settings or the offset from GMT change. */
export function createDescribeSite(
  readSettings: ReadSettings,
  { now, page }: { readonly now: () => number; readonly page: string | undefined },
): DescribeSite {
  const kept = new WeakMap<SiteSettings, Map<string, SiteFacts>>();
  return async (call) => {
    const settings = await readSettings();
    const gmtOffset = String(settings.zone.offsetAt(now()) / HOUR);
    const known = kept.get(settings) ?? new Map<string, SiteFacts>();
    kept.set(settings, known);
    const key = `${call.site.home()} ${call.request.siteUrl} ${gmtOffset}`;
    const facts = known.get(key) ?? {
      ...toFacts(call, settings, gmtOffset),
      ...toAuthentication(call.request, page),
    };
    known.set(key, facts);
    return facts;
  };
}

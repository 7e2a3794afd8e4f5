import { ANONYMOUS, type Engine, type Identity, type Store, type ToolChoice } from '../../../lib/index.ts';
import { createSite, toIdentity } from '../../../registry/site.ts';
import type { CliOptions, CliValues } from '../frame/options.ts';
import { UsageError } from '../frame/options.ts';
import { toLanguageOptions } from './languages.ts';
import type { SiteSource } from './read-site.ts';
import { checkLanguage, SITE_OPTIONS } from './site-options.ts';
import { withStore } from './with-store.ts';

/** The options of commands that act as a user of the site. */
export const CALLER_OPTIONS = {
  ...SITE_OPTIONS,
  names: { value: 'NAMES', default: 'neutral', help: 'Wire names: neutral, wordpress, or a JSON file.' },
  as: { value: 'LOGIN', help: 'Login of the user. Default: an anonymous caller.' },
  language: { value: 'LANGUAGE', help: 'Language prefix. Default: the first one of the site.' },
} as const satisfies CliOptions;

export type CallerValues = CliValues<typeof CALLER_OPTIONS>;

/** An engine, and the caller for whom it runs requests. */
export interface Caller {
  readonly engine: Engine;
  readonly identity: Identity;
  readonly language: string;
}

async function findCaller(store: Store, login: string | undefined): Promise<Identity> {
  if (login === undefined) return ANONYMOUS;
  const { records } = await store.find({
    collection: 'users',
    where: { op: 'equalsFolded', field: 'login', text: login },
    limit: 1,
  });
  const [user] = records;
  if (user === undefined)
    throw new UsageError(
      `--as "${login}": no user of the site has this login. "routebook user list" shows them`,
    );
  return toIdentity(user);
}

/** Opens the site for one user. A person who can open its store may be any of its users. @throws UsageError */
export function withCaller<T>(
  { as: login, language, ...values }: CallerValues,
  { tools, ...own }: Pick<SiteSource, 'namespaces' | 'ownPlugins'> & { readonly tools?: ToolChoice },
  use: (caller: Caller) => Promise<T>,
): Promise<T> {
  return withStore({ ...values, ...own }, async (opened) => {
    const { store, content, config, names, namespaces, plugins } = opened;
    const site = await createSite({
      ...config,
      ...toLanguageOptions(opened),
      store,
      content,
      names,
      namespaces,
      plugins,
      ...(tools === undefined ? {} : { mcp: { tools } }),
    });
    try {
      checkLanguage(language, site.engine.prefixes);
      const [first = 'en'] = site.engine.prefixes;
      return await use({
        engine: site.engine,
        identity: await findCaller(store, login),
        language: language ?? first,
      });
    } finally {
      await site.close();
    }
  });
}

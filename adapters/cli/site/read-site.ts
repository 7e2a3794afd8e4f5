import type { CollectionDescriptor, Names, Namespace } from '../../../lib/index.ts';
import {
  collectionsOf,
  type ContentDefinition,
  type ContentModel,
  CORE_PLUGINS,
  createContentModel,
  type Plugin,
  SEED_PLUGINS,
  withPluginContent,
} from '../../../registry/site.ts';
import type { Additions } from '../frame/command.ts';
import {
  type LANGUAGE_OPTIONS,
  type LanguageChoice,
  readLanguageOptions,
  type SiteLanguages,
  toSiteLanguages,
} from './languages.ts';
import { joinPlugins, loadConfigured, loadNamed, toPluginNames } from './plugins.ts';
import { readNames } from './read-names.ts';
import { type ConfiguredOptions, readSiteConfig } from './site-config.ts';
import { toContentKind } from './site-options.ts';

/** The options that describe a site, as they are typed. */
export interface SiteSource
  extends Partial<Additions>, Readonly<Record<keyof typeof LANGUAGE_OPTIONS, string | undefined>> {
  readonly content: string | undefined;
  readonly config: string | undefined;
  /** Default: neutral. */
  readonly names?: string;
  /** Names of `--plugins`, as they are typed. Default: none. */
  readonly plugins?: string | undefined;
}

/** What the options and the files that they name say about a site. */
export interface SiteDescription extends SiteLanguages {
  readonly names: Names;
  /** Of the host. */
  readonly namespaces: readonly Namespace[];
  /** The default ones, and those that the options, the configuration and the host name. */
  readonly plugins: readonly Plugin[];
  /** What the options and the configuration declare together. */
  readonly content: ContentDefinition;
  /** The model of that. */
  readonly model: ContentModel;
  /** Those of a store for the site. */
  readonly collections: readonly CollectionDescriptor[];
  /** Further options of `createSite`. */
  readonly config: Omit<ConfiguredOptions, 'content' | 'plugins' | keyof LanguageChoice>;
}

/** What a store and a site need to know of their content. */
export function describeContent(
  content: ContentDefinition,
  plugins: readonly Plugin[],
): Pick<SiteDescription, 'content' | 'model' | 'collections'> {
  const model = createContentModel(content);
  return { content, model, collections: collectionsOf(model, plugins) };
}

/** Reads the files that the options name. @throws UsageError, TypeError with the file, the place and the error */
export async function readSite(source: SiteSource): Promise<SiteDescription> {
  const {
    content: kind,
    config: file,
    names: spelling = 'neutral',
    namespaces = [],
    ownPlugins = [],
  } = source;
  const chosenLanguages = readLanguageOptions(source);
  const chosen = toContentKind(kind);
  // With the names of WordPress, its clients expect the core controllers.
  const isCore = (configured: boolean | undefined): boolean =>
    chosen === undefined ? (configured ?? spelling === 'wordpress') : chosen === 'core';
  const typed = source.plugins === undefined ? [] : toPluginNames(source.plugins);
  const {
    content: configured,
    plugins,
    languages,
    prefixes,
    defaultLanguage,
    ...config
  } = await readSiteConfig(file, async (named, site) =>
    joinPlugins(isCore(site.core) ? CORE_PLUGINS : SEED_PLUGINS, [
      await loadConfigured(site.file, named),
      await loadNamed('--plugins', typed),
      { withDefaults: true, plugins: ownPlugins },
    ]),
  );
  const names = await readNames(spelling, { namespaces, plugins });
  const definition = withPluginContent(configured, plugins);
  const core = isCore(definition.core);
  return {
    names,
    namespaces,
    plugins,
    config,
    ...describeContent({ ...definition, core }, plugins),
    ...toSiteLanguages(chosenLanguages, { languages, prefixes, defaultLanguage }),
  };
}

import type { Names, Namespace } from '../../../lib/index.ts';
import { joinContent, type ContentDefinition } from '../../../registry/index.ts';
import {
  readLanguageOptions,
  toSiteLanguages,
  type LANGUAGE_OPTIONS,
  type LanguageChoice,
  type SiteLanguages,
} from './languages.ts';
import { readNames } from './read-names.ts';
import { readSiteConfig, type ConfiguredOptions } from './site-config.ts';
import { toContentKind } from './site-options.ts';

/** The options that describe a site, as they are typed. */
export interface SiteSource extends Readonly<Record<keyof typeof LANGUAGE_OPTIONS, string | undefined>> {
  readonly content: string | undefined;
  readonly config: string | undefined;
  /** Default: neutral. */
  readonly names?: string;
  /** Namespaces of the host. Default: none. */
  readonly namespaces?: readonly Namespace[];
}

/** What the options and the files that they name say about a site. */
export interface SiteDescription extends SiteLanguages {
  readonly names: Names;
  /** Of the host. */
  readonly namespaces: readonly Namespace[];
  /** What the options and the configuration declare together. */
  readonly content: ContentDefinition;
  /** Further options of `createSite`. */
  readonly config: Omit<ConfiguredOptions, 'content' | keyof LanguageChoice>;
}

/** Reads the files that the options name. @throws UsageError, TypeError with the file, the place and the error */
export async function readSite(source: SiteSource): Promise<SiteDescription> {
  const { content: kind, config: file, names: spelling = 'neutral', namespaces = [] } = source;
  const chosenLanguages = readLanguageOptions(source);
  const chosen = toContentKind(kind);
  const names = await readNames(spelling, namespaces);
  const { content: configured, languages, prefixes, defaultLanguage, ...config } = await readSiteConfig(file);
  const definition = joinContent(configured, {});
  // With the names of WordPress, its clients expect the core controllers.
  const core = chosen === undefined ? (definition.core ?? spelling === 'wordpress') : chosen === 'core';
  return {
    names,
    namespaces,
    config,
    content: { ...definition, core },
    ...toSiteLanguages(chosenLanguages, { languages, prefixes, defaultLanguage }),
  };
}

import type { Names } from '../../../lib/index.ts';
import { DEFAULT_LANGUAGES, joinContent, type ContentDefinition } from '../../../registry/index.ts';
import { readNames } from './read-names.ts';
import { readSiteConfig, type ConfiguredOptions } from './site-config.ts';
import { toContentKind } from './site-options.ts';

/** The options that describe a site. */
export interface SiteSource {
  readonly content: string | undefined;
  readonly config: string | undefined;
  /** Default: neutral. */
  readonly names?: string;
}

/** What the options and the files that they name say about a site. */
export interface SiteDescription {
  readonly names: Names;
  /** What the options and the configuration declare together. */
  readonly content: ContentDefinition;
  readonly languages: readonly string[];
  /** Further options of `createSite`. */
  readonly config: Omit<ConfiguredOptions, 'content'>;
}

/** Reads the files that the options name. @throws UsageError, TypeError with the file, the place and the error */
export async function readSite({ content: kind, config: file, names: spelling = 'neutral' }: SiteSource): Promise<SiteDescription> {
  const chosen = toContentKind(kind);
  const names = await readNames(spelling);
  const { content: configured, ...config } = await readSiteConfig(file);
  const definition = joinContent(configured, {});
  // With the names of WordPress, its clients expect the core controllers.
  const core = chosen === undefined ? definition.core ?? spelling === 'wordpress' : chosen === 'core';
  return { names, config, content: { ...definition, core }, languages: DEFAULT_LANGUAGES };
}

import { type Namespace, defineNamespace } from '../../../lib/index.ts';
import { type CreateParts, type Ports, extendNamespace } from '../../plugin.ts';
import { createSeoFields } from './asked-fields.ts';
import { createKwtoolHandlers } from './connected/kwtool.ts';
import { createRanktrackerHandlers } from './connected/ranktracker.ts';
import { createImportHandlers } from './import/importers.ts';
import { createCatchUp } from './indexing/catch-up.ts';
import { createIndexingHandlers } from './indexing/indexing-handlers.ts';
import { createRedirects } from './redirects.ts';
import {
  createFileSizeHandlers,
  createHeadHandlers,
  createMetaPermission,
  createMetaSearchHandlers,
} from './reports/page-reports.ts';
import { createStatisticsHandlers } from './reports/statistics.ts';
import { createWorkoutHandlers } from './reports/workouts.ts';
import { type SeoDeps, seoDescriptor } from './routes/routes.ts';
import { createConfigurationHandlers, createPersonalHandlers } from './settings/configuration.ts';
import { createProfileHandlers, createRepresentationHandlers } from './settings/representation.ts';
import { createShowSettings, createVisibilityHandlers } from './settings/visibility.ts';
import { createCrawlerFiles } from './sitemap/crawler-files.ts';
import { readSeoConfig } from './values/config.ts';

const NO_FIELDS = { 'seo.head': null, 'seo.termHead': null, 'seo.checks': null } as const;

/** The routes of the recorded index. */
function createRecorded(parts: SeoDeps): Namespace {
  const catchUp = createCatchUp(parts);
  return defineNamespace(
    seoDescriptor,
    {
      ...createVisibilityHandlers(parts),
      ...createPersonalHandlers(parts),
      ...createRepresentationHandlers(parts),
      ...createProfileHandlers(parts),
      ...createConfigurationHandlers(parts),
      ...createWorkoutHandlers(parts, catchUp),
      ...createStatisticsHandlers(parts, catchUp),
      ...createFileSizeHandlers(parts),
      ...createHeadHandlers(parts),
      ...createIndexingHandlers(parts),
      ...createMetaSearchHandlers(parts),
      ...createImportHandlers(parts),
      ...createKwtoolHandlers(parts),
      ...createRanktrackerHandlers(parts, catchUp),
    },
    { permissions: { 'seo.meta.search': createMetaPermission(parts.ports) } },
  );
}

/**
 * Search engine optimisation: settings, the index of objects and links, heads, and connected tools.
 * `config.seo`: see `SeoConfig`.
 * @throws TypeError when the configuration is invalid
 */
export function createSeoNamespace(ports: Ports): Namespace {
  const parts = { ports, config: readSeoConfig(ports) };
  const recorded = createRecorded(parts);
  return (parts.config.extraRoutes ?? ports.content.core)
    ? extendNamespace(recorded, createShowSettings(parts))
    : recorded;
}

/** The code of the plugin. Its fields need a content with SEO; sitemaps and redirects, the settings of their names. */
export const createSeo: CreateParts = ({ ports, frontEnd }) => {
  const { sitemaps, redirects } = readSeoConfig(ports);
  return {
    namespaces: [createSeoNamespace(ports)],
    functions: {
      ...(ports.content.seo ? createSeoFields(ports) : NO_FIELDS),
      'seo.file': sitemaps ? createCrawlerFiles(ports, frontEnd) : null,
      'seo.redirect': redirects ? createRedirects(ports, frontEnd) : null,
    },
  };
};

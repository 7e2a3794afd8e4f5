import { defineNamespace, type Namespace } from '../../lib/route/namespace.ts';
import { extendNamespace } from '../extend-namespace.ts';
import type { Ports } from '../ports.ts';
import { readSeoConfig } from './config.ts';
import { createKwtoolHandlers } from './connected/kwtool.ts';
import { createRanktrackerHandlers } from './connected/ranktracker.ts';
import { createFileSizeHandlers } from './file-size.ts';
import { createHeadHandlers } from './head/handler.ts';
import { createImportHandlers } from './import/handler.ts';
import { createCatchUp } from './indexing/catch-up.ts';
import { createIndexingHandlers } from './indexing/handlers.ts';
import { createMetaPermission, createMetaSearchHandlers } from './meta-search.ts';
import type { SeoParts } from './parts.ts';
import { seoDescriptor } from './routes.ts';
import { createConfigurationHandlers } from './settings/configuration.ts';
import { createPersonalHandlers } from './settings/personal.ts';
import { createProfileHandlers } from './settings/profiles.ts';
import { createRepresentationHandlers } from './settings/representation.ts';
import { createShowSettings } from './settings/show-settings.ts';
import { createVisibilityHandlers } from './settings/visibility.ts';
import { createStatisticsHandlers } from './statistics.ts';
import { createWorkoutHandlers } from './workouts.ts';

/** The routes of the recorded index. */
function createRecorded(parts: SeoParts): Namespace {
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

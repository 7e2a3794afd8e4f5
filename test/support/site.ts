import type { Names } from '../../lib/core/names.ts';
import { createEngine, type Engine, type EngineOptions } from '../../lib/engine/engine.ts';
import type { Namespace } from '../../lib/route/namespace.ts';
import { SITE_WIRE } from '../../registry/wire-options.ts';

export const TEST_NAMES: Names = {
  apiSegment: 'cms-json',
  headerPrefix: 'X-CMS',
  apiRelation: 'cms:api',
  segments: {},
  params: {},
  curie: { neutral: 'cms', wire: 'cms', href: 'https://api.test/{rel}' },
};

const FACTS = {
  name: 'Test',
  description: '',
  url: 'http://localhost',
  home: 'http://localhost/en',
  gmt_offset: '0',
  timezone_string: 'UTC',
  page_for_posts: 0,
  page_on_front: 0,
  show_on_front: 'posts',
};

/** An engine with the given namespaces and without the registry, which answers as a site does. */
export function createTestEngine(
  namespaces: readonly Namespace[],
  options: Partial<EngineOptions> = {},
): Engine {
  return createEngine({
    ...SITE_WIRE,
    names: TEST_NAMES,
    prefixes: ['en', 'fr'],
    namespaces,
    describeSite: async () => FACTS,
    log: () => undefined,
    ...options,
  });
}

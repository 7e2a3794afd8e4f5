import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createChangeLog } from '../../lib/changes/change-log.ts';
import { isLogged } from '../../lib/store/change-rows.ts';
import { createBackground } from '../../registry/core/host/background.ts';
import { notConnected } from '../../registry/core/host/host-functions.ts';
import type { Ports, SiteConfig } from '../../registry/core/host/ports.ts';
import { createContentModel } from '../../registry/core/model/content-model.ts';
import { collections } from '../../registry/index.ts';

/** 2025-01-15 12:00 UTC. The default time of the tests. */
export const TEST_NOW = Date.UTC(2025, 0, 15, 12);

export const TEST_CONFIG: SiteConfig = {
  prefixes: ['en', 'fr'],
  languages: ['nl', 'en', 'fr'],
  secret: new Uint8Array(32).fill(7),
  namespaces: {},
};

/** The ports of a registry, with an empty memory store, a fixed clock and nothing connected. `random` counts, so that runs are reproducible. */
export function createTestPorts(parts: Partial<Ports> = {}): Ports {
  let count = 0;
  const log = parts.log ?? (() => undefined);
  const store = parts.store ?? createMemoryStore(collections);
  const logged = collections.filter(isLogged).map(({ name }) => name);
  return {
    store,
    changes: createChangeLog(store, logged),
    now: () => TEST_NOW,
    random: (length) =>
      Uint8Array.from({ length }, () => {
        count = (count + 1) % 256;
        return count;
      }),
    upstream: notConnected,
    background: createBackground(log),
    log,
    content: createContentModel(),
    config: TEST_CONFIG,
    ...parts,
  };
}

import cluster from 'node:cluster';
import { CAPABILITIES, type ContentModel } from '../../../registry/site.ts';
import { note } from '../frame/output.ts';

/** What the declared content needs and no role has, by the type, the taxonomy or the meta key that needs it. */
function* listUnheld({
  types,
  taxonomies,
  meta,
}: ContentModel): Generator<readonly [what: string, capabilities: readonly string[]]> {
  const unheld = (needed: readonly string[]): readonly string[] =>
    [...new Set(needed)].filter((capability) => !CAPABILITIES.has(capability));
  for (const { name, capabilities } of types.values())
    yield [`type "${name}"`, unheld(Object.values(capabilities))];
  for (const { name, capabilities } of taxonomies.values())
    yield [`taxonomy "${name}"`, unheld(Object.values(capabilities))];
  for (const [of, keys] of meta)
    for (const { key, write } of keys)
      yield [`meta key "${key}" of ${of}`, unheld(write === null ? [] : [write])];
}

/** Warns of rights that no user of the site can have, because roles are fixed. Processes that share a port say it once. */
export function warnOfRights(content: ContentModel): void {
  if (cluster.isWorker) return;
  for (const [what, capabilities] of listUnheld(content)) {
    if (capabilities.length > 0)
      note(
        `warning: ${what}: no role has ${capabilities.join(', ')}, so no user of this site can do what needs it (docs/content-types.md, Rights).`,
      );
  }
}

import type { Call } from '../../../lib/route/call.ts';
import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { createRecordRenderer } from '../../../lib/route/render-record.ts';
import type { PostBase } from '../post-views/post-deps.ts';

/** Renders one field of an item. */
type NamedRenderer<T> = (item: T, call: Call) => unknown;

/** One function per field, or per member of a field that is an object. */
export type NamedRenderers<T> = Readonly<
  Record<string, NamedRenderer<T> | Readonly<Record<string, NamedRenderer<T>>>>
>;

/** How the items of a table are shown. */
interface NamedView<T> {
  readonly resource: ResourceDescriptor;
  readonly renderers: NamedRenderers<T>;
  readonly linksOf: (item: T, call: Call) => Record<string, readonly unknown[]>;
}

/** A value with a name that addresses use. */
interface Named {
  readonly name: string;
}

/** Shows items of the site's model. */
interface ShowNamed<T> {
  one(item: T, call: Call, context: string): Record<string, unknown>;
  /** Several items as an object by name. */
  all(items: readonly T[], call: Call, context: string): Record<string, unknown>;
}

export function createShowNamed<T extends Named>(
  { log }: PostBase,
  { resource, renderers, linksOf }: NamedView<T>,
): ShowNamed<T> {
  const render = createRecordRenderer<readonly [T, Call]>(
    resource.properties,
    Object.fromEntries(
      Object.entries(renderers).map(([name, renderer]) => [
        name,
        typeof renderer === 'function'
          ? ([item, call]: readonly [T, Call]) => renderer(item, call)
          : Object.fromEntries(
              Object.entries(renderer).map(([member, each]) => [
                member,
                ([item, call]: readonly [T, Call]) => each(item, call),
              ]),
            ),
      ]),
    ),
    {
      links: ([item, call]) => linksOf(item, call),
      onFault: ([{ name }], { field, error }) =>
        log({
          level: 'error',
          message: `${field} of ${resource.title} ${name} could not be rendered and is shown as empty`,
          error,
        }),
    },
  );
  const one = (item: T, call: Call, context: string): Record<string, unknown> =>
    render([item, call], { context, names: call.site.names });
  return {
    one,
    all: (items, call, context) =>
      Object.fromEntries(items.map((item) => [item.name, one(item, call, context)])),
  };
}

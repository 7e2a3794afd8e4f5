import { type Names, perNames, renameParam } from '../core/names.ts';
import { own } from '../core/objects.ts';
import type { Selection } from '../http/select-fields.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import { typesOf } from '../schema/schema.ts';
import { TYPES } from '../schema/type-words.ts';

/** Renders one field of a representation. It is not called in a context that does not show the field. */
export type Renderer<T> = (source: T) => unknown;

/** One function per field of a resource. For an object whose members have their own contexts: one function per member. */
export type Renderers<T> = Readonly<Record<string, Renderer<T> | Readonly<Record<string, Renderer<T>>>>>;

/** Renderers of the fields that show members of a record under their own names. */
export const showMembers = <T, R extends object>(
  recordOf: (source: T) => R,
  names: readonly (keyof R & string)[],
): Readonly<Record<string, Renderer<T>>> =>
  Object.fromEntries(names.map((name) => [name, (source: T) => recordOf(source)[name]]));

/** A field that could not be rendered. `field`: name in the resource, `content.rendered` for a member. `error`: what the renderer has thrown. */
interface RenderFault {
  readonly field: string;
  readonly error: unknown;
}

/** The event of the log for a fault. `what`: the record, for people. */
export const toFaultEvent = (what: string, { field, error }: RenderFault) =>
  ({
    level: 'error',
    message: `${field} of ${what} could not be rendered and is shown as empty`,
    error,
  }) as const;

/** What is rendered after the fields, and who is told of a field that could not be rendered. */
export interface RenderOptions<T> {
  /** Renders `_links`, which every context shows. */
  readonly links: Renderer<T>;
  /** Is told of each fault. */
  readonly onFault: (source: T, fault: RenderFault) => void;
}

/** How to show a record: in the `context`, with wire `names`. `fields`: the fields to render. Default: all. */
interface Shown {
  readonly context: string;
  readonly names: Names;
  readonly fields?: Selection | null;
}

/** Shows a record in a context. Never throws: if a renderer throws, the field has the empty value of its type. */
export type RecordRenderer<T> = (source: T, shown: Shown) => Record<string, unknown>;

interface Step<T> {
  readonly name: string;
  readonly render: Renderer<T>;
}

type OnFault<T> = RenderOptions<T>['onFault'];

const NO_LINKS = Object.freeze({});

/** The value of a field that could not be rendered. */
function emptyOf(schema: ArgSchema): unknown {
  const types = typesOf(schema);
  return types.includes('null') ? null : (TYPES.get(types[0] ?? '')?.empty ?? null);
}

interface Guard<T> {
  readonly field: string;
  readonly empty: unknown;
  readonly onFault: OnFault<T>;
}

/** A renderer that never throws, so that a broken record loses one field instead of failing the whole list. */
function toGuarded<T>(render: Renderer<T>, { field, empty, onFault }: Guard<T>): Renderer<T> {
  return (source) => {
    try {
      return render(source);
    } catch (error) {
      onFault(source, { field, error });
      return empty;
    }
  };
}

function isShown({ context }: ArgSchema, wanted: string): boolean {
  return context === undefined || context.includes(wanted);
}

function toRender<T>(steps: readonly Step<T>[]): (source: T) => Record<string, unknown> {
  // V8 turns an object that gets so many fields one by one into a hash table, which is slow to fill and to stringify. Copying a blank avoids that.
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(steps.map(({ name }) => [name, null]));
  return (source) => {
    const out: Record<string, unknown> = { ...blank };
    for (const { name, render } of steps) out[name] = render(source);
    return out;
  };
}

interface Fields<T> {
  readonly properties: ArgSchemas;
  readonly renderers: Renderers<T>;
  /** Prefix of the names of members: `content.`. */
  readonly prefix: string;
}

function toSteps<T>(
  { properties, renderers, prefix }: Fields<T>,
  context: string,
  onFault: OnFault<T>,
): readonly Step<T>[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const renderer = own(renderers, name);
    if (renderer === undefined || !isShown(schema, context)) return [];
    const field = `${prefix}${name}`;
    if (typeof renderer === 'function')
      return [{ name, render: toGuarded(renderer, { field, empty: emptyOf(schema), onFault }) }];
    return [
      {
        name,
        render: toRender(
          toSteps(
            { properties: schema.properties ?? {}, renderers: renderer, prefix: `${field}.` },
            context,
            onFault,
          ),
        ),
      },
    ];
  });
}

/** The renderer of one context, with one renderer for each selection of fields that was requested. */
class ContextRenderer<T> {
  readonly #steps: readonly Step<T>[];
  readonly #whole: (source: T) => Record<string, unknown>;
  readonly #parts = new WeakMap<Selection, (source: T) => Record<string, unknown>>();

  constructor(steps: readonly Step<T>[]) {
    this.#steps = steps;
    this.#whole = toRender(steps);
  }

  render(source: T, fields: Selection | null): Record<string, unknown> {
    if (fields === null) return this.#whole(source);
    const part = this.#parts.get(fields) ?? toRender(this.#steps.filter(({ name }) => fields.has(name)));
    this.#parts.set(fields, part);
    return part(source);
  }
}

/**
 * Creates the renderer of a resource. Fields and members appear in the order of the resource, each only if its `context`
 * includes the requested one, and fields under their wire names. JSON omits fields that are `undefined`.
 */
export function createRecordRenderer<T>(
  properties: ArgSchemas,
  renderers: Renderers<T>,
  { links, onFault }: RenderOptions<T>,
): RecordRenderer<T> {
  const rendersOf = perNames((names) => {
    const byContext = new Map<string, ContextRenderer<T>>();
    return (context: string) => {
      const known = byContext.get(context);
      if (known !== undefined) return known;
      const steps = toSteps({ properties, renderers, prefix: '' }, context, onFault).map(
        ({ name, render }) => ({ name: renameParam(names, name), render }),
      );
      const renderer = new ContextRenderer([
        ...steps,
        { name: '_links', render: toGuarded(links, { field: '_links', empty: NO_LINKS, onFault }) },
      ]);
      byContext.set(context, renderer);
      return renderer;
    };
  });
  return (source, { context, names, fields = null }) => rendersOf(names)(context).render(source, fields);
}

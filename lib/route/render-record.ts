import type { Selection } from '../http/fields.ts';
import { perNames, renameParam, type Names } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { typesOf } from '../schema/schema.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import { TYPES } from '../schema/type-words.ts';

/** Makes one field of a representation; not called where the context does not show the field. */
export type Renderer<T> = (source: T) => unknown;

/** One function per field of a resource; of an object whose members have contexts of their own, one per member. */
export type Renderers<T> = Readonly<Record<string, Renderer<T> | Readonly<Record<string, Renderer<T>>>>>;

/** A field that could not be made. `field`: name in the resource, `content.rendered` for a member. */
export interface RenderFault {
  readonly field: string;
  readonly error: unknown;
}

/** What stands behind the fields, and who is told of a field that could not be made. */
export interface RenderOptions<T> {
  /** Makes `_links`, which are shown in every context. */
  readonly links: Renderer<T>;
  readonly onFault: (source: T, fault: RenderFault) => void;
}

/** How a record is shown. `fields`: those that are wanted; others are not made. Default: all. */
export interface Shown {
  readonly context: string;
  readonly names: Names;
  readonly fields?: Selection | null;
}

/** Shows a record in a context. Never throws: a field whose renderer throws has the empty value of its type. */
export type RecordRenderer<T> = (source: T, shown: Shown) => Record<string, unknown>;

interface Step<T> {
  readonly name: string;
  readonly render: Renderer<T>;
}

type OnFault<T> = RenderOptions<T>['onFault'];

const NO_LINKS = Object.freeze({});

/** The value of a field that could not be made. */
function emptyOf(schema: ArgSchema): unknown {
  const types = typesOf(schema);
  return types.includes('null') ? null : TYPES.get(types[0] ?? '')?.empty ?? null;
}

interface Guard<T> {
  readonly field: string;
  readonly empty: unknown;
  readonly onFault: OnFault<T>;
}

/** A renderer that never throws: what is wrong with a record costs one field, and not the list that the record stands in. */
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
  // V8 makes a hash table of an object that gets so many fields one by one, which is slow to fill and to write as JSON: this one has them all from the start.
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
  /** In front of the names of members: `content.`. */
  readonly prefix: string;
}

function toSteps<T>({ properties, renderers, prefix }: Fields<T>, context: string, onFault: OnFault<T>): readonly Step<T>[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const renderer = own(renderers, name);
    if (renderer === undefined || !isShown(schema, context)) return [];
    const field = `${prefix}${name}`;
    if (typeof renderer === 'function') return [{ name, render: toGuarded(renderer, { field, empty: emptyOf(schema), onFault }) }];
    return [{ name, render: toRender(toSteps({ properties: schema.properties ?? {}, renderers: renderer, prefix: `${field}.` }, context, onFault)) }];
  });
}

/** The renderer of one context, and those of the selections that were asked for. */
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
 * The renderer of a resource: fields and their members in the order of the resource, each only where its `context`
 * names the one that is asked for, fields under their wire names. What is `undefined` is not written as JSON.
 */
export function createRecordRenderer<T>(properties: ArgSchemas, renderers: Renderers<T>, { links, onFault }: RenderOptions<T>): RecordRenderer<T> {
  const rendersOf = perNames((names) => {
    const byContext = new Map<string, ContextRenderer<T>>();
    return (context: string) => {
      const known = byContext.get(context);
      if (known !== undefined) return known;
      const steps = toSteps({ properties, renderers, prefix: '' }, context, onFault).map(({ name, render }) => ({ name: renameParam(names, name), render }));
      const renderer = new ContextRenderer([...steps, { name: '_links', render: toGuarded(links, { field: '_links', empty: NO_LINKS, onFault }) }]);
      byContext.set(context, renderer);
      return renderer;
    };
  });
  return (source, { context, names, fields = null }) => rendersOf(names)(context).render(source, fields);
}

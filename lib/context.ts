import { perNames, renameParam, type Names } from './names.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';

/** Makes one field of a representation; not called where the context does not show the field. */
export type Renderer<T> = (source: T) => unknown;

/** One function per field of a resource; of an object whose members have contexts of their own, one per member. */
export type Renderers<T> = Readonly<Record<string, Renderer<T> | Readonly<Record<string, Renderer<T>>>>>;

/** Shows a record in a context. */
export type RecordRenderer<T> = (source: T, shown: { readonly context: string; readonly names: Names }) => Record<string, unknown>;

interface Step<T> {
  readonly name: string;
  readonly render: Renderer<T>;
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

function toSteps<T>(properties: ArgSchemas, renderers: Renderers<T>, context: string): readonly Step<T>[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const renderer = renderers[name];
    if (renderer === undefined || !isShown(schema, context)) return [];
    if (typeof renderer === 'function') return [{ name, render: renderer }];
    return [{ name, render: toRender(toSteps(schema.properties ?? {}, renderer, context)) }];
  });
}

/**
 * The renderer of a resource: fields and their members in the order of the resource, each only where its `context`
 * names the one that is asked for, fields under their wire names. What is `undefined` is not written as JSON.
 * `renderLinks`: makes `_links`, which stand behind the fields in every context.
 */
export function createRecordRenderer<T>(properties: ArgSchemas, renderers: Renderers<T>, renderLinks: Renderer<T>): RecordRenderer<T> {
  const rendersOf = perNames((names) => {
    const byContext = new Map<string, (source: T) => Record<string, unknown>>();
    return (context: string) => {
      const known = byContext.get(context);
      if (known !== undefined) return known;
      const fields = toSteps(properties, renderers, context).map(({ name, render }) => ({ name: renameParam(names, name), render }));
      const render = toRender([...fields, { name: '_links', render: renderLinks }]);
      byContext.set(context, render);
      return render;
    };
  });
  return (source, { context, names }) => rendersOf(names)(context)(source);
}

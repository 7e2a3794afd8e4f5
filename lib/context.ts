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
    const out: Record<string, unknown> = Object.assign({}, blank);
    for (const { name, render } of steps) {
      const value = render(source);
      if (value === undefined) delete out[name];
      else out[name] = value;
    }
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
 * names the one that is asked for, fields under their wire names. `undefined` leaves a field out.
 */
export function createRecordRenderer<T>(properties: ArgSchemas, renderers: Renderers<T>): RecordRenderer<T> {
  const rendersOf = perNames((names) => {
    const byContext = new Map<string, (source: T) => Record<string, unknown>>();
    return (context: string) => {
      const render = byContext.get(context)
        ?? toRender(toSteps(properties, renderers, context).map((step) => ({ name: renameParam(names, step.name), render: step.render })));
      byContext.set(context, render);
      return render;
    };
  });
  return (source, { context, names }) => rendersOf(names)(context)(source);
}

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

function runSteps<T>(steps: readonly Step<T>[], source: T): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name, render } of steps) {
    const value = render(source);
    if (value !== undefined) out[name] = value;
  }
  return out;
}

function toSteps<T>(properties: ArgSchemas, renderers: Renderers<T>, context: string): readonly Step<T>[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const renderer = renderers[name];
    if (renderer === undefined || !isShown(schema, context)) return [];
    if (typeof renderer === 'function') return [{ name, render: renderer }];
    const members = toSteps(schema.properties ?? {}, renderer, context);
    return [{ name, render: (source: T) => runSteps(members, source) }];
  });
}

/**
 * The renderer of a resource: fields and their members in the order of the resource, each only where its `context`
 * names the one that is asked for, fields under their wire names. `undefined` leaves a field out.
 */
export function createRecordRenderer<T>(properties: ArgSchemas, renderers: Renderers<T>): RecordRenderer<T> {
  const stepsOf = perNames((names) => {
    const byContext = new Map<string, readonly Step<T>[]>();
    return (context: string): readonly Step<T>[] => {
      const steps = byContext.get(context)
        ?? toSteps(properties, renderers, context).map(({ name, render }) => ({ name: renameParam(names, name), render }));
      byContext.set(context, steps);
      return steps;
    };
  });
  return (source, { context, names }) => runSteps(stepsOf(names)(context), source);
}

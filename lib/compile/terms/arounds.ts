import type { Around } from '../../route/call.ts';
import type { Namespace } from '../../route/namespace.ts';

/** A function that runs around calls. `what`: the name of it in messages. */
export interface NamedAround {
  readonly what: string;
  readonly around: Around;
}

/** The functions that run around the calls of a namespace, the innermost first. null: none. */
export function listArounds(
  { around, descriptor: { namespace } }: Namespace,
  outer: Around | undefined,
): readonly NamedAround[] | null {
  const arounds: NamedAround[] = [];
  if (around !== undefined) arounds.push({ what: `around of the namespace ${namespace}`, around });
  if (outer !== undefined) arounds.push({ what: 'around of the engine', around: outer });
  return arounds.length === 0 ? null : arounds;
}

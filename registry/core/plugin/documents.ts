import type { DocumentRequest, DocumentWrite, RewriteRun, WrittenDocument } from './plugin.ts';

/** A document with its function. */
export interface BoundDocument {
  readonly path: string;
  readonly write: DocumentWrite;
}

/** Opens the document of a plugin at a path below the site; null: there is none. @throws what the function of the plugin throws */
export type OpenDocument = (path: string, request: DocumentRequest) => Promise<WrittenDocument | null>;

/** The expression of a path, with a group for each part in braces. A segment has at most one, so it takes linear time. */
function toExpression(path: string): RegExp {
  const text = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `(?<${part.slice(1, -1)}>[^/]+)`
        : part.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${text}$`);
}

/** Opens the documents of plugins. Of several that fit, the first that has one counts. */
export function createOpenDocument(documents: readonly BoundDocument[]): OpenDocument {
  const exact = new Map<string, BoundDocument>();
  const others: (readonly [RegExp, BoundDocument])[] = [];
  for (const document of documents)
    if (document.path.includes('{')) others.push([toExpression(document.path), document]);
    else exact.set(document.path, document);
  return async (path, request) => {
    const found = exact.get(path);
    if (found !== undefined) return found.write(request, { path, params: {} });
    for (const [expression, { write }] of others) {
      const match = expression.exec(path);
      const document = match === null ? null : await write(request, { path, params: { ...match.groups } });
      if (document !== null) return document;
    }
    return null;
  };
}

/** Gives the address to which a path has moved, by the first plugin that knows one; null: none does. */
type Rewrite = (path: string, request: DocumentRequest) => Promise<string | null>;

/** Joins the rewrites of plugins. */
export function createRewrite(rewrites: readonly RewriteRun[]): Rewrite {
  return async (path, request) => {
    for (const rewrite of rewrites) {
      const address = await rewrite(path, request);
      if (address !== null) return address;
    }
    return null;
  };
}

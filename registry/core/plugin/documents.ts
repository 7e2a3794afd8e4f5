import { describe } from '../../../lib/core/check-options.ts';
import { isObject } from '../../../lib/core/objects.ts';
import type { LogEvent } from '../host/ports.ts';
import type { DocumentRequest, DocumentWrite, RewriteRun, WrittenDocument } from './plugin.ts';

/** A document with its function. `plugin`: the name of its plugin. */
export interface BoundDocument {
  readonly plugin: string;
  readonly path: string;
  readonly write: DocumentWrite;
}

/** A rewrite with the name of its plugin. */
export interface BoundRewrite {
  readonly plugin: string;
  readonly run: RewriteRun;
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

const isDocument = (value: unknown): value is WrittenDocument | null =>
  value === null ||
  (isObject(value) &&
    typeof value['type'] === 'string' &&
    (typeof value['body'] === 'string' || (isObject(value['body']) && isBody(value['body']))));

const isBody = (body: object): boolean => body instanceof Uint8Array || Symbol.asyncIterator in body;

/** The document with its function checked, because a plugin may be of JavaScript. */
const toChecked =
  ({ plugin, path, write }: BoundDocument): DocumentWrite =>
  async (...args) => {
    const written: unknown = await write(...args);
    if (isDocument(written)) return written;
    const [member, value] =
      isObject(written) && typeof written['type'] === 'string'
        ? ['body', written['body']]
        : ['result', written];
    throw new TypeError(
      `plugin "${plugin}": documents, ${path}: the ${member} is ${describe(value)}; a document is { type, body }, whose body is a text, bytes or an asynchronous iterable; null is none`,
    );
  };

/** Opens the documents of plugins. Of several that fit, the first that has one counts. */
export function createOpenDocument(documents: readonly BoundDocument[]): OpenDocument {
  const exact = new Map<string, DocumentWrite>();
  const others: (readonly [RegExp, DocumentWrite])[] = [];
  for (const document of documents)
    if (document.path.includes('{')) others.push([toExpression(document.path), toChecked(document)]);
    else exact.set(document.path, toChecked(document));
  return async (path, request) => {
    const found = exact.get(path);
    if (found !== undefined) return found(request, { path, params: {} });
    for (const [expression, write] of others) {
      const match = expression.exec(path);
      const document = match === null ? null : await write(request, { path, params: { ...match.groups } });
      if (document !== null) return document;
    }
    return null;
  };
}

/** Gives the address to which a path has moved, by the first plugin that knows one; null: none does. */
type Rewrite = (path: string, request: DocumentRequest) => Promise<string | null>;

/** What is wrong with the address that a rewrite gives for a path; null: nothing is. */
function findFault(address: unknown, path: string, siteUrl: string): string | null {
  if (
    typeof address !== 'string' ||
    !/^(?:\/|https?:\/\/)[\x21-\x7e]*$/i.test(address) ||
    !URL.canParse(address, siteUrl)
  )
    return 'must be a path of the site or an http(s) address, percent-encoded';
  const { origin, pathname } = new URL(address, siteUrl);
  return origin === new URL(siteUrl).origin && pathname === path ? 'is the address that was asked for' : null;
}

/** Joins the rewrites of plugins. An address that visitors must not be sent to is logged, and is none. */
export function createRewrite(rewrites: readonly BoundRewrite[], log: (event: LogEvent) => void): Rewrite {
  return async (path, request) => {
    for (const { plugin, run } of rewrites) {
      const address: unknown = await run(path, request);
      if (address === null) continue;
      const fault = findFault(address, path, request.siteUrl);
      if (fault === null) return String(address);
      log({
        level: 'warn',
        message: `plugin "${plugin}": rewrites: ${describe(address)} for ${path}: it ${fault}`,
      });
    }
    return null;
  };
}

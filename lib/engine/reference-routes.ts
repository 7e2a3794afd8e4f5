import { engineError } from '../core/errors.ts';
import { remember } from '../core/memo.ts';
import {
  PAGE_FILES,
  PAGE_HEADERS,
  PAGE_PACKAGE,
  START_FILE,
  START_SCRIPT,
  START_TYPE,
  writeReferencePage,
} from '../describe/reference-page.ts';
import { encode, type Encoded, toEncodedResponse } from '../http/encoded.ts';
import type { HostTools } from '../http/host.ts';
import { RawBody, RestResponse } from '../http/response.ts';
import type { Call, Handler } from '../route/call.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';

/** A route about the interface, such as its document. */
export interface HiddenRoute {
  readonly pattern: string;
  readonly id: string;
  readonly handler: Handler;
  readonly args: ArgSchemas;
}

/** What the page needs. */
interface ReferenceParts {
  /** Path of the page. */
  readonly path: string;
  readonly args: ArgSchemas;
  /** Title of the page, and address of the document that it shows. */
  readonly describePage: (
    args: never,
    call: Call,
  ) => Promise<{ readonly title: string; readonly document: string }>;
  /** null: no adapter has been bound. */
  readonly readTools: () => HostTools | null;
}

const HTML_TYPE = 'text/html; charset=UTF-8';

/** The files change only with their package. */
const FILE_HEADERS = { 'Cache-Control': 'max-age=3600', 'X-Content-Type-Options': 'nosniff' } as const;

/** Path of an address below its origin. It does not depend on the name under which a client reached the server. */
export const toPath = (url: string): string => new URL(url).pathname;

/** Loads each file of the page once. null: the page has no such file. @throws RestError `rest_no_reference_page` if their package is not installed */
function createFileLoader(readTools: ReferenceParts['readTools']): (name: string) => Promise<Encoded | null> {
  const known = new Map<string, Promise<Encoded>>();
  const load = async ({ path, type }: { readonly path: string; readonly type: string }): Promise<Encoded> => {
    const content = (await readTools()?.readPackageFile(PAGE_PACKAGE, path)) ?? null;
    if (content === null) throw engineError('rest_no_reference_page');
    return encode(type, content);
  };
  return async (name) => {
    if (name === START_FILE) return remember(known, name, () => encode(START_TYPE, START_SCRIPT));
    const file = PAGE_FILES.get(name);
    return file === undefined ? null : remember(known, name, () => load(file));
  };
}

/** The routes of the page and of its files. */
export function createReferenceRoutes({
  path,
  args,
  describePage,
  readTools,
}: ReferenceParts): readonly HiddenRoute[] {
  const loadFile = createFileLoader(readTools);
  const showPage = async (asked: never, call: Call): Promise<RestResponse> => {
    const page = await describePage(asked, call);
    // Without its files the page would stay empty. Their absence is reported here instead.
    await Promise.all([...PAGE_FILES.keys()].map(loadFile));
    const text = writeReferencePage({
      ...page,
      language: call.request.language,
      files: toPath(call.site.url(path)),
    });
    return new RestResponse(new RawBody(HTML_TYPE, text), { headers: { ...PAGE_HEADERS } });
  };
  const sendFile = async ({ file }: { readonly file: string }, call: Call): Promise<RestResponse> => {
    const encoded = await loadFile(file);
    if (encoded === null) throw engineError('rest_no_route');
    return toEncodedResponse(encoded, call.request, FILE_HEADERS);
  };
  return [
    { pattern: path, id: 'root.reference', handler: showPage, args },
    {
      pattern: `${path}/(?P<file>[\\w.-]+)`,
      id: 'root.reference.file',
      handler: sendFile,
      args: { file: { type: 'string' } },
    },
  ];
}

import { type Names, renameParam } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import { decodePercent } from '../../../lib/core/text.ts';
import type { McpOptions } from '../../../lib/engine/mcp-routes.ts';
import { changeRequest } from '../../../lib/http/request.ts';
import type { McpResource, McpResources, McpWatch } from '../../../lib/mcp/server.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { WatchPosts } from '../plugin/plugin.ts';
import { isPageRecord, MARKDOWN, recordToMarkdown, titleOf } from './markdown-responses.ts';

/** `content://en/posts/hello-world`: language, base of the type, slug. */
const URI = /^content:\/\/([a-z-]{2,12})\/([\w-]{1,40})\/([^/?#]{1,200})$/i;
const PAGE_SIZE = 50;

type Shown = Readonly<Record<string, unknown>>;

interface Wanted {
  readonly base: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Records as the caller of the tool may read them, through the route of their list. null: the site has no such list. */
async function findRecords(
  { base, args }: Wanted,
  { site, request }: Call,
): Promise<{ readonly records: readonly Shown[]; readonly pages: number } | null> {
  const list = site.routes.find(
    ({ descriptor: { pattern, endpoints }, resource }) =>
      pattern === `/cms/v2/${base}` &&
      resource !== null &&
      'content' in resource.properties &&
      endpoints.some(({ shows }) => shows?.includes('page')),
  );
  if (list === undefined) return null;
  const prepared = site.prepare(
    changeRequest(request, {
      method: 'GET',
      path: list.pattern,
      query: '',
      headers: {},
      body: { kind: 'json', value: args },
    }),
  );
  const { status, body, headers } = await prepared.run();
  if (status !== 200) return null;
  const pages = Number(Object.entries(headers).find(([name]) => name.endsWith('-TotalPages'))?.[1] ?? 1);
  return { records: Array.isArray(body) ? body.filter(isPageRecord) : [], pages };
}

function toResource(record: Shown, base: string, languageField: string): McpResource {
  const language = String(own(record, languageField) ?? 'en');
  return {
    uri: `content://${language}/${base}/${encodeURIComponent(decodeURIComponent(String(record['slug'])))}`,
    name: String(record['slug']),
    title: titleOf(record),
    mimeType: MARKDOWN,
    annotations: { lastModified: `${String(record['modified_gmt'])}Z` },
  };
}

/** The site whose records are resources. `watch`: undefined where nothing tells of changes. */
interface RecordSite {
  readonly names: Names;
  readonly languages: readonly string[];
  readonly watch: WatchPosts | undefined;
}

type Find = (uri: string, call: Call) => Promise<Shown | undefined>;

/** The posts behind the URIs are read after the watch has begun, so that no change is missed. */
async function watchRecords(
  uris: readonly string[],
  call: Call,
  { watch, find }: { readonly watch: WatchPosts; readonly find: Find },
): Promise<McpWatch> {
  const changes = await watch(call);
  const ids = new Map<string, unknown>();
  for (const uri of new Set(uris)) {
    const record = await find(uri, call);
    if (record !== undefined) ids.set(uri, record['id']);
  }
  async function* toUris(): AsyncGenerator<string> {
    for await (const changed of changes) for (const [uri, id] of ids) if (id === changed) yield uri;
  }
  return { watched: [...ids.keys()], updates: toUris() };
}

/** Published records as Markdown, by language and slug. */
function createResources({ names, languages, watch }: RecordSite): McpResources {
  const languageParam = renameParam(names, 'ml_language');
  const find: Find = async (uri, call) => {
    const [, language = '', base = '', slug = ''] = URI.exec(uri) ?? [];
    if (slug === '' || !languages.includes(language)) return undefined;
    const args = {
      slug: [decodePercent(slug) ?? slug],
      [languageParam]: language,
      per_page: 1,
      status: ['publish'],
    };
    return (await findRecords({ base, args }, call))?.records[0];
  };
  return {
    templates: [
      {
        uriTemplate: 'content://{language}/{type}/{slug}',
        name: 'record',
        title: 'A published record',
        description: `A record as Markdown. language: ${languages.join(', ')}; type: posts, pages or another type of the site.`,
        mimeType: MARKDOWN,
        values: { language: languages },
      },
    ],
    list: async (page, call) => {
      const found = await findRecords(
        { base: 'posts', args: { page, per_page: PAGE_SIZE, status: ['publish'] } },
        call,
      );
      return {
        resources: (found?.records ?? []).map((record) => toResource(record, 'posts', languageParam)),
        more: found !== null && page < found.pages,
      };
    },
    read: async (uri, call) => {
      const record = await find(uri, call);
      return record === undefined
        ? null
        : [{ uri, mimeType: MARKDOWN, text: recordToMarkdown(record, languageParam) }];
    },
    ...(watch === undefined ? {} : { watch: (uris, call) => watchRecords(uris, call, { watch, find }) }),
  };
}

/** The option `mcp` of the engine of a site. */
export function toMcp(
  mcp: boolean | Omit<McpOptions, 'resources'> = false,
  site: RecordSite,
): { readonly mcp?: McpOptions } {
  if (mcp === false) return {};
  const chosen = mcp === true ? {} : mcp;
  return { mcp: { name: 'routebook', ...chosen, resources: createResources(site) } };
}

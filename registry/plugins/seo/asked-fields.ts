import { pause } from '../../../lib/core/cooperative.ts';
import { perObject } from '../../../lib/core/objects.ts';
import { readShape } from '../../../lib/dispatch/shape.ts';
import { parseQuery } from '../../../lib/http/query-string.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Ports } from '../../core/host/ports.ts';
import type { PostRecord } from '../../core/records/post-record.ts';
import type { TermRecord } from '../../core/records/term-record.ts';
import { servicesOf } from '../../core/services.ts';
import { toHeadJson } from './head/head.ts';
import { toScoreFacts } from './indexing/build-post.ts';
import { readIndexedPath } from './indexing/sources.ts';
import { PAGE_READERS } from './pages/archive-pages.ts';
import { fillMeta } from './pages/filled-meta.ts';
import { createHeadContext } from './pages/head-context.ts';
import { toPostPage } from './pages/post-page.ts';
import { gradeAll } from './score/facts.ts';
import { KEYPHRASE_CHECKS, scoreKeyphrase } from './score/keyphrase.ts';
import { toRank } from './score/rank.ts';
import { READABILITY_CHECKS, scoreReadability } from './score/readability.ts';
import { readSeoConfig } from './values/config.ts';
import { readContent } from './values/content-facts.ts';
import type { HeadFacts } from './values/facts.ts';
import { readMeta } from './values/meta.ts';

/** The fields of records that are computed only for a request that names them in `_fields`. */
export const ASKED_FIELDS = ['seo_head_json', 'seo_checks'] as const;
type AskedField = (typeof ASKED_FIELDS)[number];

/** Values of these fields; null where there is none for the caller. */
export type AskedValues = Readonly<Partial<Record<AskedField, unknown>>>;

const readAsked = perObject((request: RestRequest): readonly AskedField[] => {
  const { fields } = readShape(request, parseQuery(request.query));
  return fields === null ? [] : ASKED_FIELDS.filter((name) => fields.has(name));
});

/** The fields that a request names. */
export const listAsked = ({ request }: Pick<Call, 'request'>): readonly AskedField[] => readAsked(request);

/** Computes the fields that a request names, by the ids of the records. */
export interface AskedFields {
  ofPosts(posts: readonly PostRecord[], call: Call): Promise<ReadonlyMap<number, AskedValues>>;
  ofTerms(terms: readonly TermRecord[], call: Call): Promise<ReadonlyMap<number, AskedValues>>;
}

type Readers<T> = Readonly<Record<AskedField, (record: T, call: Call) => Promise<unknown>>>;

async function readAll<T extends { readonly id: number }>(
  readers: Readers<T>,
  records: readonly T[],
  call: Call,
): Promise<ReadonlyMap<number, AskedValues>> {
  const found = new Map<number, AskedValues>();
  const names = listAsked(call);
  if (names.length === 0) return found;
  for (const record of records) {
    const values: Partial<Record<AskedField, unknown>> = {};
    for (const name of names) {
      values[name] = await readers[name](record, call);
      // A list has up to a hundred records.
      await pause();
    }
    found.set(record.id, values);
  }
  return found;
}

/** The fields of the SEO part of a site. A head is that of `get_head`: only public pages have one. Checks are for those who may edit the post. */
export function createAskedFields(ports: Ports): AskedFields {
  const config = readSeoConfig(ports);
  const { sources, createContext } = createHeadContext({ ports, config });
  const { kinds } = servicesOf(ports);
  const languages = ports.config.languages;

  async function readHead(post: PostRecord, call: Call): Promise<object | null> {
    if (post.status !== 'publish' || !config.postTypes.includes(post.type)) return null;
    const facts = await toPostPage(await createContext(call, post.language), post);
    return facts === null ? null : toHeadJson(facts);
  }

  async function readChecks(post: PostRecord, call: Call): Promise<object | null> {
    if (kinds.get(post.type)?.rights.mayEdit(call.identity, post) !== true) return null;
    const meta = await fillMeta(sources, 'post', {
      record: post,
      meta: await readMeta(ports.store, 'post', post),
    });
    const page = { path: await readIndexedPath(sources, post), siteUrl: call.site.pagesUrl, languages };
    const facts = toScoreFacts(post, meta, { content: readContent(post.content), page });
    const score = scoreKeyphrase(facts);
    return {
      keyphrase: {
        text: meta.focus_phrase,
        rank: toRank({ score, phrase: meta.focus_phrase, noindex: meta.noindex }),
        score,
        checks: meta.focus_phrase === '' ? [] : gradeAll(KEYPHRASE_CHECKS, facts),
      },
      readability: { score: scoreReadability(facts), checks: gradeAll(READABILITY_CHECKS, facts) },
    };
  }

  async function readTermHead({ language, taxonomy, slug }: TermRecord, call: Call): Promise<object | null> {
    const own = language === '' ? call.language : language;
    const facts: HeadFacts | null = await PAGE_READERS.term(await createContext(call, own), {
      kind: 'term',
      language: own,
      taxonomy,
      slug,
      page: 1,
    });
    return facts === null ? null : toHeadJson(facts);
  }

  return {
    ofPosts: (posts, call) => readAll({ seo_head_json: readHead, seo_checks: readChecks }, posts, call),
    ofTerms: (terms, call) =>
      readAll({ seo_head_json: readTermHead, seo_checks: async () => undefined }, terms, call),
  };
}

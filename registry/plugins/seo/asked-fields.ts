import { type Call, type StoredRecord, oneOf } from '../../../lib/index.ts';
import {
  type FieldValue,
  type PluginFunctions,
  type Ports,
  type PostRecord,
  type TermRecord,
  pause,
  servicesOf,
  toPost,
  toTerm,
} from '../../plugin.ts';
import { toHeadJson } from './head/head.ts';
import { toScoreFacts } from './indexing/build-indexables.ts';
import { readIndexedPath } from './indexing/sources.ts';
import { PAGE_READERS } from './pages/archive-pages.ts';
import { fillMeta } from './pages/filled-meta.ts';
import { createHeadContext } from './pages/head-context.ts';
import { toPostPage } from './pages/post-page.ts';
import { readSeoConfig } from './values/config.ts';
import { readContent } from './values/content-facts.ts';
import { type HeadFacts, readMeta } from './values/head-facts.ts';
import {
  gradeAll,
  KEYPHRASE_CHECKS,
  READABILITY_CHECKS,
  scoreKeyphrase,
  scoreReadability,
  toRank,
} from './values/score.ts';

/** Reads the records of the shown ones, and computes a value for each. */
function toValue<T extends { readonly id: number }>(
  { store }: Ports,
  { collection, toRecord }: { readonly collection: string; readonly toRecord: (stored: StoredRecord) => T },
  read: (record: T, call: Call) => Promise<unknown>,
): FieldValue {
  return async (shown, call) => {
    const ids = shown.map(({ id }) => id);
    const { records } = await store.find({ collection, where: oneOf('id', ids) }, call);
    const values = new Map<number, unknown>();
    for (const record of records.map(toRecord)) {
      values.set(record.id, await read(record, call));
      // A list has up to a hundred records.
      await pause();
    }
    return values;
  };
}

/** The fields of the SEO part of a site. A head is that of `get_head`: only public pages have one. Checks are for those who may edit the post. */
export function createSeoFields(ports: Ports): PluginFunctions {
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

  const posts = { collection: 'posts', toRecord: toPost };
  const terms = { collection: 'terms', toRecord: toTerm };
  return {
    'seo.head': toValue(ports, posts, readHead),
    'seo.termHead': toValue(ports, terms, readTermHead),
    'seo.checks': toValue(ports, posts, readChecks),
  };
}

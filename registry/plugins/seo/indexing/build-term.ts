import { own } from '../../../../lib/core/objects.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import { toPlainText } from '../values/content-facts.ts';
import { toText } from '../values/json.ts';
import type { KeptMeta } from '../values/meta.ts';
import { toMetaFacts } from './build-post.ts';
import { BUILDER_VERSION, toValues, type IndexableValues } from './indexable.ts';

const textOf = (term: StoredRecord, field: string): string => toText(own(term, field));

/** Where a term is found. `path`: below the site. */
export interface TermPlace {
  readonly language: string;
  readonly path: string;
}

/** Builds the indexable of a term. */
export function buildTerm(
  term: StoredRecord,
  { meta, version }: KeptMeta,
  { language, path }: TermPlace,
): IndexableValues {
  const [taxonomy, name] = [textOf(term, 'taxonomy'), toPlainText(textOf(term, 'name'))];
  return toValues({
    key: `term:${term.id}`,
    object_type: 'term',
    object_sub_type: taxonomy,
    object_id: term.id,
    language,
    path,
    is_cornerstone: meta.cornerstone,
    is_robots_noindex: meta.noindex,
    focus_phrase: meta.focus_phrase,
    object_version: term.version,
    meta_version: version,
    builder_version: BUILDER_VERSION,
    facts: {
      ...toMetaFacts(meta),
      title: meta.title || name,
      breadcrumb_title: meta.breadcrumb_title || name,
      description: meta.description || toPlainText(textOf(term, 'description')),
      schema_page_type: 'CollectionPage',
    },
  });
}

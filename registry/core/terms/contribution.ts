import { own } from '../../../lib/core/objects.ts';
import { PlainCollection, subjectOf } from '../../../lib/crud/plain-collection.ts';
import type { Call, Handler } from '../../../lib/route/call.ts';
import { and, eq } from '../../../lib/store/query.ts';
import { loadTermAddresses } from '../addresses/permalink.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import type { CmsContribution } from '../host/contribution.ts';
import { inTreeTurn } from '../limits/locks.ts';
import type { Taxonomy } from '../model/content-type.ts';
import { createFindReadable } from '../post-views/load-views.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import { createRecordMeta } from '../records/meta-values.ts';
import { type TermRecord, toTerm } from '../records/term-record.ts';
import { findStandIn, readChain, toContentLanguage } from '../translations/fallback.ts';
import { listByLanguage } from '../translations/translation-links.ts';
import { createTermCounts } from './counts.ts';
import { listTerms } from './list-terms.ts';
import { createTermPermissions, createTermRefusals, type TermDeps, termError } from './permissions.ts';
import {
  byTermAction,
  describeTerms,
  type TermListArgs,
  termResourceOf,
  type TermWriteArgs,
} from './routes.ts';
import { createShowTerms } from './view.ts';
import { listRemovalEffects, toNewTerm, toTermChange } from './write-term.ts';

/** A term and its translations, in the order of the site's languages. */
async function listTranslations(
  { store, taxonomy, settings }: TermDeps,
  call: Call,
): Promise<readonly object[]> {
  const term = subjectOf<TermRecord>(call);
  const where = and(eq('group', term.group), eq('taxonomy', taxonomy.name));
  const terms =
    term.group === 0 ? [term] : (await store.find({ collection: 'terms', where })).records.map(toTerm);
  const addressOf = await loadTermAddresses(
    { store, taxonomies: new Map([[taxonomy.name, taxonomy]]) },
    terms,
  );
  return listByLanguage(terms, await settings(), (each) => ({
    title: toShownTexts('terms', each).name,
    status: 'publish',
    link: addressOf(each, call.site),
  }));
}

interface TermReadArgs {
  readonly context: string;
  readonly ml_fallback?: readonly string[];
}

/** Handlers of a taxonomy by id. */
function createHandlers(
  context: TermDeps,
  collection: PlainCollection<TermRecord>,
): Readonly<Record<string, Handler<never>>> {
  const { taxonomy, publishDue } = context;
  const refusals = createTermRefusals(taxonomy);
  return byTermAction<Handler<never>>(taxonomy, {
    list: (args: TermListArgs, call: Call) => listTerms(context, collection, { args, call }),
    read: async (args: TermReadArgs, call: Call) => {
      // The count includes posts that are due.
      await publishDue();
      const term = subjectOf<TermRecord>(call);
      if (args.ml_fallback === undefined) return collection.one(call, term, args);
      const chain = readChain(call, args.ml_fallback, await context.settings());
      const found = await findStandIn(context.store, term, { of: ['terms', 'taxonomy'], chain });
      const first = found === null ? term : toTerm(found);
      const header = toContentLanguage(call, [first.language], [first]);
      return (await collection.one(call, first, args)).withHeaders(header);
    },
    translations: (_args: unknown, call: Call) => listTranslations(context, call),
    create: async (args: TermWriteArgs, call: Call) =>
      collection.one(call, await collection.create(call, () => toNewTerm(context, call, args)), {
        context: 'view',
        status: 201,
      }),
    update: async (args: TermWriteArgs, call: Call) => {
      const update = (): Promise<TermRecord> =>
        collection.update(call, subjectOf<TermRecord>(call), {
          refuse: refusals.update,
          toDraft: (current) => toTermChange(context, call, { args, current }),
        });
      const term = await ((args.parent ?? 0) > 0
        ? inTreeTurn(context.store, taxonomy.name, update)
        : update());
      return collection.one(call, term, { context: 'view' });
    },
    remove: (args: { readonly force: boolean }, call: Call) => {
      if (!args.force) throw termError('rest_trash_not_supported');
      const remove = (): Promise<object> =>
        collection.remove(call, subjectOf<TermRecord>(call), {
          refuse: refusals.remove,
          context: 'view',
          also: (term) => listRemovalEffects(context, term),
        });
      return taxonomy.hierarchical ? inTreeTurn(context.store, taxonomy.name, remove) : remove();
    },
  });
}

const NONE: ReadonlySet<number> = new Set();

/** The default categories of the site: nobody may delete them, and posts without another category get them. */
function createDefaults(
  { settings }: CmsDeps,
  { field }: Taxonomy,
): Pick<TermDeps, 'fixed' | 'termsWithout'> {
  if (field !== 'categories') return { fixed: async () => NONE, termsWithout: async () => [] };
  return {
    fixed: async () => new Set(Object.values((await settings()).defaultCategory)),
    termsWithout: async (language) => {
      const id = own((await settings()).defaultCategory, language) ?? 0;
      return id === 0 ? [] : [id];
    },
  };
}

function contributeTaxonomy(
  cms: CmsDeps,
  { taxonomy, count, findPost }: Pick<TermDeps, 'taxonomy' | 'count' | 'findPost'>,
): CmsContribution {
  const { content } = cms;
  const meta = createRecordMeta(content.meta.get(taxonomy.name) ?? [], 'Registered meta fields.');
  const typeBases = taxonomy.types.flatMap((name) => content.types.get(name)?.base ?? []);
  const { routes, resource } = describeTerms({
    taxonomy,
    typeBases,
    meta: meta.schema,
    languages: cms.ports.config.languages,
  });
  const context: TermDeps = {
    ...cms,
    ...createDefaults(cms, taxonomy),
    taxonomy,
    typeBases,
    count,
    findPost,
    meta,
  };
  const collection = new PlainCollection<TermRecord>({
    store: cms.store,
    collection: 'terms',
    isServed: (term) => term.taxonomy === taxonomy.name,
    missing: () => termError('rest_term_invalid'),
    pathOf: ({ id }) => `/cms/v2/${taxonomy.base}/${id}`,
    show: createShowTerms(context, resource),
    until: () => cms.nextDue(),
  });
  return {
    routes,
    resources: { [termResourceOf(taxonomy)]: resource },
    handlers: createHandlers(context, collection),
    permissions: createTermPermissions(context, collection),
    checks: {},
    embeds: {},
  };
}

/** The terms of every taxonomy that is served. */
export function contributeTerms(cms: CmsDeps): readonly CmsContribution[] {
  const count = createTermCounts(cms.store, cms.ports.config.languages);
  const findPost = createFindReadable(cms);
  return [...cms.content.taxonomies.values()]
    .filter(({ served }) => served)
    .map((taxonomy) => contributeTaxonomy(cms, { taxonomy, count, findPost }));
}

import { can } from '../../../lib/core/identity.ts';
import { perNames } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import type { PlainSource } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { createRecordLinks, prepareLink } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderers,
  showMembers,
  toFaultEvent,
} from '../../../lib/route/render-record.ts';
import { loadTermAddresses, type TermAddressOf } from '../addresses/permalink.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import { allowedMethods } from '../records/rights.ts';
import type { TermRecord } from '../records/term-record.ts';
import { fallbackField } from '../schemas/common-args.ts';
import { fallbackOf } from '../translations/fallback.ts';
import type { TermDeps } from './permissions.ts';
import { toItemsLink } from './routes.ts';

/** The relation from a term to the records that have it. */
const ITEMS = 'cms:post_type';

/** What the representation of a term needs in addition to the record. */
interface TermView {
  readonly term: TermRecord;
  readonly call: Call;
  /** Published posts with the term. Not needed in the context `embed`. */
  readonly count: number;
  readonly addressOf: TermAddressOf;
  /** The methods that the caller may use on the term. */
  readonly allow: readonly string[];
}

function toRenderers({ meta }: TermDeps): Renderers<TermView> {
  return {
    ...showMembers(({ term }: TermView) => term, ['id', 'description', 'name', 'slug', 'taxonomy', 'parent']),
    count: ({ count }) => count,
    link: ({ term, addressOf, call: { site } }) => addressOf(term, site),
    meta: ({ term }) => meta.show(term.meta),
    ml_language: ({ term }) => term.language,
    ml_fallback_of: ({ term, call }) => fallbackOf(call, term),
  };
}

const NO_COUNTS: ReadonlyMap<number, number> = new Map();

/** The links of a term: those of its resource, and one to the records of each further type. */
function createTermLinks(
  { taxonomy, typeBases }: TermDeps,
  { links = {} }: ResourceDescriptor,
): (view: TermView) => object {
  const toLinks = createRecordLinks(links);
  const furtherOf = perNames((names) =>
    typeBases.slice(1).map((base) => prepareLink(ITEMS, toItemsLink(taxonomy, base), names)),
  );
  return ({ term, call, allow }) => {
    const shown = toLinks(term, call, allow);
    for (const { relation, toLink } of furtherOf(call.site.names))
      shown[relation] = [...(own(shown, relation) ?? []), toLink(call.site, term)];
    return shown;
  };
}

/** Creates the function that shows terms of a taxonomy. */
export function createShowTerms(
  context: TermDeps,
  resource: ResourceDescriptor,
): PlainSource<TermRecord>['show'] {
  const { store, taxonomy, log, count, fixed } = context;
  const taxonomies = new Map([[taxonomy.name, taxonomy]]);
  const render = createRecordRenderer<TermView>(
    { ...resource.properties, ...fallbackField },
    toRenderers(context),
    {
      links: createTermLinks(context, resource),
      onFault: ({ term }, fault) => log(toFaultEvent(`term ${term.id}`, fault)),
    },
  );
  return async (terms, { call, context: as }) => {
    const [counts, addressOf, unremovable] = await Promise.all([
      as === 'embed'
        ? NO_COUNTS
        : count(
            taxonomy,
            terms.map(({ id }) => id),
          ),
      loadTermAddresses({ store, taxonomies }, terms),
      fixed(),
    ]);
    const { edit_terms: edit, delete_terms: remove } = taxonomy.capabilities;
    const [mayEdit, mayRemove] = [can(call.identity, edit), can(call.identity, remove)];
    return (term, fields) => {
      const view = {
        term: toShownTexts('terms', term),
        call,
        count: counts.get(term.id) ?? 0,
        addressOf,
        allow: allowedMethods(mayEdit, mayRemove && !unremovable.has(term.id)),
      };
      return render(view, { context: as, names: call.site.names, fields });
    };
  };
}

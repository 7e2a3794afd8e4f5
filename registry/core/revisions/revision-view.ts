import { perNames } from '../../../lib/core/names.ts';
import { RecordList } from '../../../lib/http/record-list.ts';
import { type Selection } from '../../../lib/http/select-fields.ts';
import type { Call } from '../../../lib/route/call.ts';
import { prepareLink } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderers,
  type RenderOptions,
  showMembers,
} from '../../../lib/route/render-record.ts';
import type { FindResult, StoredRecord } from '../../../lib/store/store.ts';
import { toShownBlocks } from '../content/html/blocks.ts';
import { renderExcerpt } from '../content/render/excerpt.ts';
import { renderContent, renderTitle } from '../content/render/render.ts';
import { toKindExtraLinks, toPastResources } from '../post-views/describe-kind.ts';
import type { KindDeps } from '../post-views/post-deps.ts';
import type { PostView } from '../post-views/post-representation.ts';
import { perKind } from '../records/kind.ts';
import { showMeta, toFootnotes } from '../records/post-meta.ts';
import { type RevisionRecord, toRevision } from '../records/post-record.ts';

/** Shows revisions or autosaves that were found without their long texts. The texts are read one record at a time. `as`: the context. `from`: number of those before them; null: there are no pages. */
export async function listRevisionViews(
  { store, kind, log, settings: readSettings }: KindDeps,
  call: Call,
  { found, as, from }: { found: FindResult; as: string; from: number | null },
): Promise<RecordList<StoredRecord>> {
  const settings = await readSettings();
  const incomplete = new Set(found.incomplete);
  return new RecordList(
    found.records,
    async (record, fields) => {
      const whole = incomplete.has(record.id) ? await store.get('revisions', record.id) : record;
      return whole === null
        ? undefined
        : toRevisionRepresentation(
            { revision: toRevision(whole), kind, call, log, context: as, settings },
            fields,
          );
    },
    from,
  );
}

/** A revision or autosave, and how it is shown to whom. */
interface RevisionView extends Pick<PostView, 'kind' | 'call' | 'log' | 'context' | 'settings'> {
  readonly revision: RevisionRecord;
  /** Address of a preview that opens with it. Default: that of the post, which opens for those who may read it. */
  readonly previewLink?: string | null;
}

const toShown = (text: string, { call }: RevisionView): string => toShownBlocks(text, call.site.names.curie);
const toGuid = ({ revision, call }: RevisionView): string => `${call.site.home()}/?p=${revision.id}`;

const RENDERERS: Renderers<RevisionView> = {
  ...showMembers(
    ({ revision }: RevisionView) => revision,
    ['author', 'date', 'date_gmt', 'id', 'modified', 'modified_gmt', 'parent', 'slug'],
  ),
  guid: { raw: toGuid, rendered: toGuid },
  title: { raw: ({ revision }) => revision.title, rendered: ({ revision }) => renderTitle(revision.title) },
  content: {
    raw: (view) => toShown(view.revision.content, view),
    rendered: ({ revision }) => renderContent(revision.content, { footnotes: toFootnotes(revision.meta) }),
  },
  excerpt: {
    raw: (view) => toShown(view.revision.excerpt, view),
    // Only a stored excerpt is shown. No excerpt is generated for a past text.
    rendered: ({ revision, settings }) =>
      revision.excerpt === '' ? '' : renderExcerpt(revision, settings.excerptLength),
  },
  meta: ({ kind, revision }) => showMeta(kind, revision.meta, true),
  preview_link: ({ previewLink, revision, call }) =>
    previewLink ?? `${call.site.home()}/?p=${revision.parent}&preview=true`,
};

const parentOf = perKind((kind) =>
  perNames((names) => prepareLink('parent', toKindExtraLinks(kind).parent, names)),
);
const toLinks = ({ revision, kind, call: { site } }: RevisionView): object => ({
  parent: [parentOf(kind)(site.names).toLink(site, revision)],
});

const OPTIONS: RenderOptions<RevisionView> = {
  links: toLinks,
  onFault: ({ revision, log }, { field, error }) =>
    log({
      level: 'error',
      message: `${field} of revision ${revision.id} could not be rendered and is shown as empty`,
      error,
    }),
};
const renderersOf = perKind((kind) => {
  const { revision, autosave } = toPastResources(kind);
  return {
    revision: createRecordRenderer(revision.properties, RENDERERS, OPTIONS),
    autosave: createRecordRenderer(autosave.properties, RENDERERS, OPTIONS),
  };
});

/** Shows one revision or autosave. */
export async function showRevision(
  { kind, log, settings }: KindDeps,
  call: Call,
  shown: Pick<RevisionView, 'revision' | 'context' | 'previewLink'>,
): Promise<Record<string, unknown>> {
  return toRevisionRepresentation({ ...shown, kind, call, log, settings: await settings() });
}

/** The representation of a revision or autosave, with `_links`; or only these `fields`. Never throws: a field that cannot be rendered is logged and shown as empty. */
function toRevisionRepresentation(
  view: RevisionView,
  fields: Selection | null = null,
): Record<string, unknown> {
  const { revision, kind, call, context } = view;
  return renderersOf(kind)[revision.autosave ? 'autosave' : 'revision'](view, {
    context,
    names: call.site.names,
    fields,
  });
}

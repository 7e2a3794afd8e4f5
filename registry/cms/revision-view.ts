import type { Call } from '../../lib/call.ts';
import { renderRecord, type Renderers } from '../../lib/context.ts';
import { toLinks } from '../../lib/links.ts';
import { toShownBlocks } from '../content/block-words.ts';
import { renderContent, renderExcerpt, renderTitle } from '../content/render.ts';
import type { SiteSettings } from '../site/settings.ts';
import type { RevisionRecord } from './post-record.ts';
import { autosaveResource, revisionResource } from './resources.ts';

/** A revision or autosave, and who looks at it how. */
export interface RevisionView {
  readonly revision: RevisionRecord;
  readonly call: Call;
  readonly context: string;
  readonly settings: SiteSettings;
}

function toGuid({ revision, call }: RevisionView): object {
  const address = `${call.site.home()}/?p=${revision.id}`;
  return { raw: address, rendered: address };
}

const RENDERERS: Renderers<RevisionView> = {
  author: ({ revision }) => revision.author,
  date: ({ revision }) => revision.date,
  date_gmt: ({ revision }) => revision.date_gmt,
  guid: toGuid,
  id: ({ revision }) => revision.id,
  modified: ({ revision }) => revision.modified,
  modified_gmt: ({ revision }) => revision.modified_gmt,
  parent: ({ revision }) => revision.parent,
  slug: ({ revision }) => revision.slug,
  title: ({ revision }) => ({ raw: revision.title, rendered: renderTitle(revision.title) }),
  content: (view) => ({
    raw: toShownBlocks(view.revision.content, view.call.site.names.curie),
    rendered: renderContent(view.revision.content, { footnotes: String(view.revision.meta['footnotes'] ?? '') }),
  }),
  // An excerpt is shown as it was written: nothing is made up for the past.
  excerpt: (view) => ({
    raw: toShownBlocks(view.revision.excerpt, view.call.site.names.curie),
    rendered: view.revision.excerpt === '' ? '' : renderExcerpt(view.revision, view.settings.excerptLength),
  }),
  meta: ({ revision }) => ({ footnotes: '', ...revision.meta }),
  preview_link: ({ revision, call }) => `${call.site.home()}/?p=${revision.parent}&preview=true`,
};

/** The representation of a revision or autosave (BEHAVIOUR.md 10 and 11), with `_links`. */
export function toRevisionRepresentation(view: RevisionView): Record<string, unknown> {
  const { revision, call, context } = view;
  const { properties } = revision.autosave ? autosaveResource : revisionResource;
  const links = toLinks(call.site, revisionResource.links, { record: revision, isShown: () => true });
  return { ...renderRecord(properties, RENDERERS, { source: view, context, names: call.site.names }), _links: links };
}

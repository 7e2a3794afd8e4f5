import type { MaybePromise } from '../../lib/core/maybe-promise.ts';
import type { PostShortcodes } from '../builder/render-post.ts';
import { isOpen } from './post-representation.ts';
import { toFootnotes } from './post-meta.ts';
import type { PostView } from './post-view.ts';

async function build(shortcodes: PostShortcodes, view: PostView): Promise<PostView> {
  const { post, call, log } = view;
  try {
    return { ...view, built: await shortcodes.render(post.content, { siteUrl: call.request.siteUrl, footnotes: toFootnotes(post.meta), call }) };
  } catch (error) {
    log({ level: 'error', message: `the shortcodes of post ${post.id} could not be rendered and are shown as text`, error });
    return view;
  }
}

/** Renders the content if it has shortcodes and is shown. Returns any other view at once. */
export function buildContent(shortcodes: PostShortcodes, view: PostView): MaybePromise<PostView> {
  return view.context !== 'embed' && shortcodes.has(view.post.content) && isOpen(view) ? build(shortcodes, view) : view;
}

import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { PostShortcodes } from '../content/shortcodes/render-post.ts';
import type { PostRecord } from '../records/post-record.ts';
import { toFootnotes } from './post-meta.ts';
import { isOpen } from './post-representation.ts';
import type { PostView } from './post-view.ts';

async function build(shortcodes: PostShortcodes, view: PostView): Promise<PostView> {
  const { post, call, log } = view;
  try {
    return {
      ...view,
      built: await shortcodes.render(post.content, {
        siteUrl: call.request.siteUrl,
        footnotes: toFootnotes(post.meta),
        call,
        record: {
          id: post.id,
          type: post.type,
          language: post.language,
          slug: post.slug,
          title: post.title,
        },
      }),
    };
  } catch (error) {
    log({
      level: 'error',
      message: `the shortcodes of post ${post.id} could not be rendered and are shown as text`,
      error,
    });
    return view;
  }
}

/** The content; null if it cannot be read. Its representation then leaves it out and logs why. */
function readContent(post: PostRecord): string | null {
  try {
    // Another program may have stored anything.
    const content: unknown = post.content;
    return typeof content === 'string' ? content : null;
  } catch {
    return null;
  }
}

/** The collections on which the shortcodes of a post depend; null if that is not known, as for a content that cannot be read. */
export function readsOfPost(shortcodes: PostShortcodes, post: PostRecord): readonly string[] | null {
  const content = readContent(post);
  return content === null ? null : shortcodes.readsOf(content);
}

/** Renders the content if it has shortcodes and is shown. Returns any other view at once. */
export function buildContent(shortcodes: PostShortcodes, view: PostView): MaybePromise<PostView> {
  return view.context !== 'embed' && shortcodes.has(readContent(view.post) ?? '') && isOpen(view)
    ? build(shortcodes, view)
    : view;
}

import { own } from '../../../lib/core/objects.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { invalidParam } from '../../../lib/schema/invalid.ts';
import { userOf } from '../accounts/roles.ts';
import { parseDate, toTimeText, toZone } from '../content/site-time.ts';
import { subjectPost } from '../post-views/permissions.ts';
import type { CmsDeps, KindDeps } from '../post-views/post-deps.ts';
import type { PostHandlers } from '../post-views/routes.ts';
import { DAY_MS, type PreviewRecord } from '../previews/previews.ts';
import { postError } from '../records/post-errors.ts';
import type { PostRecord } from '../records/post-record.ts';
import { PREVIEW_DAYS } from '../schemas/preview-args.ts';

type Context = CmsDeps & KindDeps;

const GMT = toZone('UTC');

/** @throws RestError `rest_invalid_param` for a time that is over or too far away */
function toEnd(text: string | undefined, now: number): number {
  if (text === undefined) return now + DAY_MS;
  const stamp = parseDate(text, GMT, 'gmt');
  const end = stamp === undefined ? Number.NaN : Date.parse(`${stamp.date_gmt}Z`);
  if (end > now && end <= now + PREVIEW_DAYS * DAY_MS) return end;
  const message = `expires must be a time within the next ${PREVIEW_DAYS} days.`;
  throw invalidParam('expires', message);
}

const toAnswer = ({ id, post, revision, maker, expires }: PreviewRecord) => ({
  id,
  post,
  revision,
  maker,
  expires: toTimeText(expires),
});

/** The address of the front end, whose template is a setting, or that of the site's own page. */
async function toUrl(
  { settings, kind }: Context,
  { id, type, slug, language }: PostRecord,
  { token, call }: { readonly token: string; readonly call: Call },
): Promise<string> {
  const { previewUrl } = await settings();
  const { base } = kind.type;
  const home = call.site.home(language);
  const values: Readonly<Record<string, string | number>> = { token, id, type, base, slug, language, home };
  return (previewUrl || '{home}/?p={id}&rest_base={base}&preview=true&preview_nonce={token}').replaceAll(
    /\{(\w+)\}/g,
    (written, name: string) => {
      const value = own(values, name);
      return value === undefined ? written : name === 'home' ? home : encodeURIComponent(String(value));
    },
  );
}

/** The caller as the maker of a preview, which has the rights of its maker; null for callers whom the site does not know. */
async function findMaker({ store }: Context, { identity }: Call): Promise<number | null> {
  const maker = userOf(identity);
  return (await store.get('users', maker)) === null ? null : maker;
}

/** The address at which others see a post, or an autosave of it, as the caller wrote it; null for callers whom the site does not know. */
export async function findPreviewLink(
  context: Context,
  call: Call,
  { post, revision }: { readonly post: PostRecord; readonly revision: number },
): Promise<string | null> {
  const maker = await findMaker(context, call);
  if (maker === null) return null;
  const { token } = await context.previews.ensure({ post: post.id, maker, revision });
  return toUrl(context, post, { token, call });
}

/** Handlers of the previews of a post. */
export function createPreviewHandlers(
  context: Context,
): Pick<PostHandlers, `previews.${'list' | 'create' | 'remove'}`> {
  const { kind, previews, store } = context;
  /** Those who may edit the post see and end all previews, others their own. */
  const makerOf = (call: Call): number | null =>
    kind.rights.mayEdit(call.identity, subjectPost(call)) ? null : userOf(call.identity);

  async function checkRevision(call: Call, revision: number): Promise<void> {
    if (makerOf(call) !== null) throw postError('rest_cannot_read');
    const found = await store.get('revisions', revision);
    if (found?.['parent'] !== subjectPost(call).id) throw postError('rest_revision_parent_id_mismatch');
  }

  return {
    'previews.list': async (_args, call) =>
      (await previews.list(subjectPost(call).id, makerOf(call))).map(toAnswer),
    'previews.create': async ({ revision, expires }, call) => {
      const post = subjectPost(call);
      const maker = await findMaker(context, call);
      if (maker === null) throw postError('rest_forbidden');
      if (revision !== undefined) await checkRevision(call, revision);
      const { preview, token } = await previews.issue({
        post: post.id,
        maker,
        revision: revision ?? 0,
        expires: toEnd(expires, context.now()),
      });
      const url = await toUrl(context, post, { token, call });
      return new RestResponse(
        { ...toAnswer(preview), token, url },
        { status: 201, headers: { 'Cache-Control': 'no-store' } },
      );
    },
    'previews.remove': async ({ preview: id }, call) => {
      const found = (await previews.list(subjectPost(call).id, makerOf(call))).find((each) => each.id === id);
      if (found === undefined) throw postError('rest_preview_not_found');
      await previews.revoke(found);
      return { deleted: true };
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { runInTurns } from '../../../lib/core/cooperative.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { and, desc, eq, gt, lte, type Predicate } from '../../../lib/store/query.ts';
import { type RecordOf, typeRecords } from '../../../lib/store/store.ts';
import { findCredentials, isOfApplication } from '../accounts/credentials.ts';
import { toIdentity } from '../accounts/roles.ts';
import { toSitePath } from '../addresses/page-paths.ts';
import { rewriteLinks } from '../content/html/rewrite-links.ts';
import type { Ports } from '../host/ports.ts';
import { postError } from '../records/post-errors.ts';
import { toPost, toRevision, type PostRecord } from '../records/post-record.ts';
import { createTypeRights } from '../records/rights.ts';

/**
 * Issued previews. To remove a record revokes its token, which is not stored: it is computed from the record. `maker`: the user who issued it,
 * and whose rights it has. `revision`: the revision or autosave whose texts are shown; 0: those of the post itself. Times are
 * milliseconds since 1970.
 */
export const previewCollection = {
  name: 'previews',
  fields: {
    post: { type: 'integer', references: 'posts' },
    maker: { type: 'integer', references: 'users' },
    revision: { type: 'integer' },
    created: { type: 'integer' },
    expires: { type: 'integer' },
  },
  indexes: [['post'], ['expires']],
} as const satisfies CollectionDescriptor;

/** An issued preview. */
export type PreviewRecord = RecordOf<typeof previewCollection>;

/** The id of the preview and a signature: `12.mJ0b…`. */
const TOKEN = /^([1-9]\d{0,14})\.([\w-]{43})$/;

/** `password`: hash of the maker's password, so that a new password revokes the token; '' without one. */
interface Signed extends Pick<PreviewRecord, 'id' | 'post' | 'maker' | 'revision' | 'expires'> {
  readonly password: string;
}

/** The key of previews alone, so that what the secret signs for another purpose opens nothing. */
const toKey = (secret: Uint8Array): Buffer => createHmac('sha256', secret).update('preview').digest();

function sign(secret: Uint8Array, { id, post, maker, revision, expires, password }: Signed): Buffer {
  const text = JSON.stringify([id, post, maker, revision, expires, password]);
  return createHmac('sha256', toKey(secret)).update(text).digest();
}

/** The token of a preview. */
export function toToken(secret: Uint8Array, signed: Signed): string {
  return `${signed.id}.${sign(secret, signed).toString('base64url')}`;
}

/** The id of the preview that a token claims to be of; null: it is not a token. */
function readTokenId(token: string): number | null {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? null : Number(id);
}

/** Whether a token was made for exactly this. The comparison takes constant time. */
function isTokenOf(secret: Uint8Array, token: string, signed: Signed): boolean {
  const [given, right] = [token, toToken(secret, signed)].map((each) =>
    createHmac('sha256', secret).update(each).digest(),
  ) as [Buffer, Buffer];
  return timingSafeEqual(given, right);
}

/** What previews depend on. `secret`: of the site. */
interface PreviewDeps extends Pick<Ports, 'store' | 'now' | 'content'> {
  readonly secret: Uint8Array;
}

/** A post as a preview shows it. `isOpen`: also what a password protects, because the maker of the preview may edit the post. */
export interface PreviewedPost {
  readonly post: PostRecord;
  readonly isOpen: boolean;
}

/** A preview with the token that opens it. */
interface IssuedPreview {
  readonly preview: PreviewRecord;
  readonly token: string;
}

/** Issues previews, and opens posts with them. */
export interface Previews {
  /** `values`: of the new preview. */
  issue(values: Pick<PreviewRecord, 'post' | 'maker' | 'revision' | 'expires'>): Promise<IssuedPreview>;
  /** The preview of the same that its maker has for at least half a day more, or a new one for a day. */
  ensure(values: Pick<PreviewRecord, 'post' | 'maker' | 'revision'>): Promise<IssuedPreview>;
  /** The previews of a post that have not expired, the newest first. */
  list(post: number, maker: number | null): Promise<readonly PreviewRecord[]>;
  /** Revokes a preview. */
  revoke(preview: PreviewRecord): Promise<void>;
  /** @throws RestError `rest_preview_invalid` when the token does not open this post now */
  open(token: string, post: PostRecord, siteUrl: string): Promise<PreviewedPost>;
}

/** How long a preview lasts for which no time is named. */
export const DAY_MS = 86_400_000;

/** Parameters by which the address of a draft names it, as in WordPress. */
const ID_PARAMS = ['p', 'page_id'] as const;

/** Whether an address is that of a draft of this site. */
function isAddressOf(address: string, id: number, siteUrl: string): boolean {
  if (!URL.canParse(address, `${siteUrl}/`)) return false;
  const place = toSitePath(new URL(address, `${siteUrl}/`).href, siteUrl);
  return ID_PARAMS.some((name) => place?.query.get(name) === String(id));
}

/** Whether a text links to a draft. */
async function linksTo(content: string, id: number, siteUrl: string): Promise<boolean> {
  let isLinked = false;
  await runInTurns(
    rewriteLinks(content, ({ address }) => {
      isLinked ||= isAddressOf(address, id, siteUrl);
      return null;
    }),
  );
  return isLinked;
}

/** Creates the previews of a site. */
export function createPreviews({ store, now, content, secret }: PreviewDeps): Previews {
  const rightsOf = createTypeRights(content);
  const records = typeRecords(store, [previewCollection]);

  /** The hash of the password that the maker logs in with; '' without one. */
  async function readPassword(maker: number): Promise<string> {
    const own = (await findCredentials(store, maker)).filter((each) => !isOfApplication(each));
    return String(own.at(-1)?.['hash'] ?? '');
  }

  /** The preview of a token that is valid now. An unknown one costs as much as a wrong one. */
  async function read(token: string): Promise<PreviewRecord | null> {
    const id = readTokenId(token);
    const found = id === null ? null : await records.get('previews', id);
    const preview = found ?? { id: 0, version: 0, post: 0, maker: 0, revision: 0, created: 0, expires: 0 };
    const isRight = isTokenOf(secret, token, { ...preview, password: await readPassword(preview.maker) });
    return isRight && found !== null && found.expires > now() ? found : null;
  }

  /** The post of the preview with the texts that it shows; null if they are gone. */
  async function loadShown({ post: id, revision }: PreviewRecord): Promise<PostRecord | null> {
    const post = await store.get('posts', id);
    if (post === null || revision === 0) return post === null ? null : toPost(post);
    const past = await store.get('revisions', revision);
    if (past === null || past['parent'] !== id) return null;
    const { title, content: text, excerpt, meta } = toRevision(past);
    return { ...toPost(post), title, content: text, excerpt, meta };
  }

  /** Whether the author of a post may read another one. Authors write the links of their posts themselves, and would choose what the maker's rights open. */
  async function mayAuthorRead({ author: id }: PostRecord, other: PostRecord): Promise<boolean> {
    const author = await store.get('users', id);
    return author !== null && rightsOf(other.type).mayRead(toIdentity(author), other);
  }

  /** The post as the preview shows it: itself, its translations, and the drafts that it links to, if its author may read them. */
  async function choose(
    preview: PreviewRecord,
    post: PostRecord,
    siteUrl: string,
  ): Promise<PostRecord | null> {
    const shown = await loadShown(preview);
    if (shown === null || shown.id === post.id) return shown;
    const isTranslation = shown.group !== 0 && shown.group === post.group;
    if (isTranslation) return post;
    return (await linksTo(shown.content, post.id, siteUrl)) && (await mayAuthorRead(shown, post))
      ? post
      : null;
  }

  async function open(token: string, post: PostRecord, siteUrl: string): Promise<PreviewedPost> {
    const preview = await read(token);
    const maker = preview === null ? null : await store.get('users', preview.maker);
    if (preview === null || maker === null || post.status === 'trash')
      throw postError('rest_preview_invalid');
    // The maker's rights are those of now, so that a user who loses them takes the previews along.
    const [identity, rights] = [toIdentity(maker), rightsOf(post.type)];
    const shown = rights.mayRead(identity, post) ? await choose(preview, post, siteUrl) : null;
    if (shown === null) throw postError('rest_preview_invalid');
    return { post: shown, isOpen: rights.mayEdit(identity, post) };
  }

  const withToken = async (preview: PreviewRecord): Promise<IssuedPreview> => ({
    preview,
    token: toToken(secret, { ...preview, password: await readPassword(preview.maker) }),
  });

  async function issue(values: Parameters<Previews['issue']>[0]): Promise<IssuedPreview> {
    const created = now();
    const [preview] = await records.commit([
      { op: 'create', collection: 'previews', values: { ...values, created } },
      { op: 'removeAll', collection: 'previews', where: lte('expires', created) },
    ]);
    return withToken(preview);
  }

  return {
    open,
    issue,
    async ensure(values) {
      const same = Object.entries(values).map(([name, value]) => eq(name, value));
      const where = and(...same, gt('expires', now() + DAY_MS / 2));
      const found = await records.find({ collection: 'previews', where, limit: 1 });
      const [preview] = found.records;
      return preview === undefined ? issue({ ...values, expires: now() + DAY_MS }) : withToken(preview);
    },
    async list(post, maker) {
      const where: readonly Predicate[] = [
        eq('post', post),
        gt('expires', now()),
        ...(maker === null ? [] : [eq('maker', maker)]),
      ];
      const order = [desc('id')];
      return (await records.find({ collection: 'previews', where: and(...where), order, limit: 100 }))
        .records;
    },
    async revoke({ id }) {
      await store.commit([{ op: 'removeAll', collection: 'previews', where: eq('id', id) }]);
    },
  };
}

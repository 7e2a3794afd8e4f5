import { can, type Identity } from '../../../lib/core/identity.ts';
import { deepFreeze } from '../../../lib/core/objects.ts';
import type { Args, Call, Permission } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { subject } from '../../../lib/route/subject.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import { modelError, statusResource } from './routes.ts';
import { createShowNamed, type NamedRenderers } from './show-named.ts';

/** A status of records. `internal`: no list shows it. */
interface Status {
  readonly name: string;
  readonly label: string;
  readonly seen: 'public' | 'private' | 'protected' | 'internal';
  readonly floats?: true;
}

/** The statuses in the order of lists. */
const STATUSES: readonly Status[] = deepFreeze<Status[]>([
  { name: 'publish', label: 'Published', seen: 'public' },
  { name: 'future', label: 'Scheduled', seen: 'protected' },
  { name: 'draft', label: 'Draft', seen: 'protected', floats: true },
  { name: 'pending', label: 'Pending', seen: 'protected', floats: true },
  { name: 'private', label: 'Private', seen: 'private' },
  { name: 'trash', label: 'Trash', seen: 'internal' },
]);
/** Statuses that only the site gives. Nobody can ask for them. */
const HIDDEN: ReadonlySet<unknown> = new Set(['auto-draft', 'inherit']);

const RENDERERS: NamedRenderers<Status> = {
  name: ({ label }) => label,
  private: ({ seen }) => seen === 'private',
  protected: ({ seen }) => seen === 'protected',
  public: ({ seen }) => seen === 'public',
  queryable: ({ seen }) => seen === 'public',
  show_in_list: ({ seen }) => seen !== 'internal',
  slug: ({ name }) => name,
  date_floating: ({ floats }) => floats === true,
};

const linksOfPublic = createRecordLinks({ archives: { href: '/cms/v2/posts' } });
const linksOfOthers = createRecordLinks({ archives: { href: '/cms/v2/posts?status={slug}' } });

/** Permissions and handlers of statuses. */
export function createStatuses(context: PostBase, { types }: ContentModel) {
  const served = [...types.values()].filter((type) => type.served);
  const mayEditSome = (identity: Identity): boolean =>
    served.some(({ capabilities }) => can(identity, capabilities.edit_posts));
  const mayRead = (identity: Identity, { seen }: Status): boolean =>
    seen === 'public' || mayEditSome(identity);
  const show = createShowNamed<Status>(context, {
    resource: statusResource,
    renderers: RENDERERS,
    linksOf: ({ name, seen }, call) =>
      seen === 'public' ? linksOfPublic({}, call) : linksOfOthers({ slug: name }, call),
  });
  const permitList: Permission = ({ context: as }, { identity }) =>
    as !== 'edit' || mayEditSome(identity)
      ? true
      : modelError('rest_cannot_view', { message: 'Sorry, you are not allowed to manage post statuses.' });
  const permitRead: Permission = ({ status: name }, { identity }) => {
    const status = STATUSES.find((each) => each.name === name);
    if (status === undefined)
      return modelError(HIDDEN.has(name) ? 'rest_cannot_read_status' : 'rest_status_invalid');
    return mayRead(identity, status) ? subject(status) : modelError('rest_cannot_read_status');
  };
  return {
    permissions: { 'cms.statuses.list': permitList, 'cms.statuses.read': permitRead },
    list: ({ context: as }: { readonly context: string }, call: Call) =>
      show.all(
        STATUSES.filter((status) => mayRead(call.identity, status)),
        call,
        as,
      ),
    read: ({ context: as }: Args & { readonly context: string }, call: Call) =>
      show.one(call.subject as Status, call, as),
  };
}

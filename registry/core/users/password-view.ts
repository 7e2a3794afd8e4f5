import type { Call } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { type Renderers, createRecordRenderer } from '../../../lib/route/render-record.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { toGroups, uuidOf } from '../accounts/credentials.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import { passwordLinks, passwordResource } from './resources.ts';

/** An application password to show. `password`: the password itself, present only when it was just made. */
export interface PasswordView {
  readonly credential: StoredRecord;
  readonly call: Call;
  readonly context: string;
  readonly password?: string;
}

const orNull = (text: unknown): unknown => (text === '' ? null : text);

const RENDERERS: Renderers<PasswordView> = {
  uuid: ({ credential }) => uuidOf(credential),
  app_id: ({ credential }) => credential['app_id'],
  name: ({ credential }) => credential['name'],
  password: ({ password }) => (password === undefined ? undefined : toGroups(password)),
  created: ({ credential }) => credential['created_gmt'],
  last_used: ({ credential }) => orNull(credential['last_used_gmt']),
  last_ip: ({ credential }) => orNull(credential['last_ip']),
};

const linksOf = createRecordLinks(passwordLinks);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Shows application passwords. A caller who may see one may also change and remove it. */
export function createShowPassword({ log }: PostBase): (view: PasswordView) => Record<string, unknown> {
  const render = createRecordRenderer<PasswordView>(passwordResource.properties, RENDERERS, {
    links: ({ credential, call }) =>
      linksOf({ user: credential['user'], uuid: uuidOf(credential) }, call, METHODS),
    onFault: ({ credential }, { field, error }) =>
      log({
        level: 'error',
        message: `${field} of credential ${credential.id} could not be rendered and is shown as empty`,
        error,
      }),
  });
  return (view) =>
    render(
      { ...view, credential: toShownTexts('credentials', view.credential) },
      { context: view.context, names: view.call.site.names },
    );
}

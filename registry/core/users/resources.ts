import type { LinkDescriptor, ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { withEmptyDates } from '../schemas/post-resources.ts';
import { passwordCreateArgs, userCreateArgs, userIdArg } from './args.ts';

const EVERYWHERE = ['embed', 'view', 'edit'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;

const avatar = (size: number) =>
  ({
    description: `URL of the avatar with ${size} pixels.`,
    type: 'string',
    format: 'uri',
    context: EVERYWHERE,
  }) as const;

/** Fields and links of a user. */
export const userResource = withEmptyDates({
  title: 'user',
  properties: {
    id: { ...userIdArg, context: EVERYWHERE, readonly: true },
    username: { ...userCreateArgs.username, context: EDIT },
    name: { ...userCreateArgs.name, context: EVERYWHERE },
    first_name: { ...userCreateArgs.first_name, context: EDIT },
    last_name: { ...userCreateArgs.last_name, context: EDIT },
    email: { ...userCreateArgs.email, context: EDIT },
    url: { ...userCreateArgs.url, context: EVERYWHERE },
    description: { ...userCreateArgs.description, context: EVERYWHERE },
    link: {
      description: 'URL of the page of the author.',
      type: 'string',
      format: 'uri',
      context: EVERYWHERE,
      readonly: true,
    },
    locale: { ...userCreateArgs.locale, context: EDIT },
    nickname: { ...userCreateArgs.nickname, context: EDIT },
    slug: { ...userCreateArgs.slug, context: EVERYWHERE },
    registered_date: {
      description: 'When the user was registered.',
      type: 'string',
      format: 'date-time',
      context: EDIT,
      readonly: true,
    },
    roles: { ...userCreateArgs.roles, context: EDIT },
    password: { ...userCreateArgs.password, context: [] },
    capabilities: {
      description: 'All capabilities of the user.',
      type: 'object',
      context: EDIT,
      readonly: true,
    },
    extra_capabilities: {
      description: 'Roles of the user, and capabilities beside them.',
      type: 'object',
      context: EDIT,
      readonly: true,
    },
    avatar_urls: {
      description: 'URLs of the avatar of the user, by size.',
      type: 'object',
      context: EVERYWHERE,
      readonly: true,
      properties: { 24: avatar(24), 48: avatar(48), 96: avatar(96) },
    },
    meta: { ...userCreateArgs.meta, context: VIEW_EDIT },
  },
  // A user of a fixture or an import may have any locale, and no address.
  answers: {
    email: { description: userCreateArgs.email.description, type: 'string' },
    locale: { description: userCreateArgs.locale.description, type: 'string' },
  },
  links: { self: { href: '/cms/v2/users/{id}' }, collection: { href: '/cms/v2/users' } },
} as const satisfies ResourceDescriptor);

/** Fields of an application password. */
export const passwordResource = withEmptyDates({
  title: 'application-password',
  properties: {
    uuid: {
      description: 'UUID of the application password.',
      type: 'string',
      format: 'uuid',
      context: EVERYWHERE,
      readonly: true,
    },
    app_id: { ...passwordCreateArgs.app_id, context: EVERYWHERE },
    name: { ...passwordCreateArgs.name, context: EVERYWHERE },
    password: {
      description: 'The generated password. It is shown once, in the response to its creation.',
      type: 'string',
      context: EDIT,
      readonly: true,
    },
    created: {
      description: 'When the application password was created, in GMT.',
      type: 'string',
      format: 'date-time',
      context: EVERYWHERE,
      readonly: true,
    },
    last_used: {
      description: 'When the application password was last used, in GMT.',
      type: ['string', 'null'],
      format: 'date-time',
      context: EVERYWHERE,
      readonly: true,
    },
    last_ip: {
      description: 'Address from which the application password was last used.',
      type: ['string', 'null'],
      context: EVERYWHERE,
      readonly: true,
    },
  },
} as const satisfies ResourceDescriptor);

/** Links of an application password. They need the user, which is not one of its fields. */
export const passwordLinks = {
  self: { href: '/cms/v2/users/{user}/application-passwords/{uuid}' },
} as const satisfies Readonly<Record<string, LinkDescriptor>>;

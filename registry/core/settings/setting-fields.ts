import { escapeQuotesOnce } from '../../../lib/core/escape.ts';
import { own } from '../../../lib/core/objects.ts';
import type { ArgSchema, Json } from '../../../lib/schema/schema-dialect.ts';
import { TEXT_KINDS } from '../content/sanitise/text-fields.ts';
import { findZone } from '../content/site-time.ts';

/** A setting as the API shows it, and the option of the group `site` that stores it. */
export interface SettingField {
  readonly schema: ArgSchema;
  readonly option: string;
  /** The value of a site that has not chosen one. */
  readonly default: Json;
  /** The member of the settings with a value for each language. The option may hold one value for all of them, or one for each. */
  readonly perLanguage?: 'name' | 'description' | 'pageOnFront' | 'pageForPosts' | 'defaultCategory';
  /** A write replaces one value for all languages in all of them. Otherwise the other languages keep it. */
  readonly isShared?: true;
  /** Not in responses until it is chosen: WordPress does not have it. */
  readonly isHidden?: true;
  /** Converts a valid value to the stored one; undefined for a value that is silently ignored, as in WordPress. */
  readonly toStored?: (value: Json) => Json | undefined;
}

/** Titles are shown in many places, so they are stored as text of HTML. References that are escaped already stay. */
const toHtmlText = (value: Json): Json => escapeQuotesOnce(String(value).trim());

const toTyped = (value: Json): Json => TEXT_KINDS.typed.toStored(String(value));

/** A name of the time zone database. Offsets such as `UTC+2` are not names. */
function toZoneName(value: Json): Json | undefined {
  const name = String(value);
  if (name === '') return name;
  const isName = /^[a-z]\w*(?:\/[\w+-]+)*$/i.test(name) && findZone(name) !== null;
  return isName ? name : undefined;
}

/** Ignores every other value. */
const keptIf =
  (fits: (value: Json) => boolean) =>
  (value: Json): Json | undefined =>
    fits(value) ? value : undefined;

/** An address of the web that has a place for the token. */
const isPreviewUrl = (value: Json): boolean =>
  value === '' || (/^https?:\/\/[^/]/i.test(String(value)) && String(value).includes('{token}'));

const LOCALES: ReadonlySet<Json> = new Set(['', 'en_US']);
const OPEN_OR_CLOSED = ['open', 'closed'] as const;

/** A setting as it differs from most: untitled, empty by default, and with the name of its option. */
type SettingRow = Omit<SettingField, 'option' | 'default'> & Partial<SettingField>;

/** The settings by name, in the order of the API. */
const ROWS: Readonly<Record<string, SettingRow>> = {
  title: {
    schema: { title: 'Title', description: 'Title of the site.', type: 'string' },
    option: 'name',
    perLanguage: 'name',
    toStored: toHtmlText,
  },
  description: {
    schema: { title: 'Tagline', description: 'Tagline of the site.', type: 'string' },
    perLanguage: 'description',
    toStored: toHtmlText,
  },
  email: {
    schema: {
      description: 'Address for messages to the administrators.',
      type: 'string',
      format: 'email',
    },
    option: 'admin_email',
  },
  timezone: {
    schema: { description: 'Time zone of the site, such as Europe/Paris.', type: 'string' },
    option: 'timezone_string',
    toStored: toZoneName,
  },
  date_format: {
    schema: { description: 'Format of dates.', type: 'string' },
    default: 'F j, Y',
    toStored: toTyped,
  },
  time_format: {
    schema: { description: 'Format of times.', type: 'string' },
    default: 'g:i a',
    toStored: toTyped,
  },
  start_of_week: {
    schema: { description: 'First day of the week; 0 is Sunday.', type: 'integer' },
    default: 1,
    toStored: keptIf((value) => Number(value) >= 0 && Number(value) <= 6),
  },
  language: {
    schema: { description: 'Locale of the site.', type: 'string' },
    default: 'en_US',
    toStored: (value) => (LOCALES.has(value) ? value || 'en_US' : undefined),
  },
  use_smilies: {
    schema: { description: 'Whether smileys are shown as pictures.', type: 'boolean' },
    default: true,
  },
  default_category: {
    schema: { description: 'ID of the category of posts without one.', type: 'integer' },
    default: 1,
    perLanguage: 'defaultCategory',
    isShared: true,
  },
  default_post_format: {
    schema: { description: 'Format of new posts.', type: 'string' },
    default: '0',
    toStored: toTyped,
  },
  posts_per_page: {
    schema: {
      title: 'Maximum posts per page',
      description: 'Number of posts on a page of the site.',
      type: 'integer',
    },
    default: 10,
    toStored: (value) => Math.max(1, Math.abs(Number(value))),
  },
  show_on_front: {
    schema: {
      title: 'Show on front',
      description: 'What the front page shows: posts or a page.',
      type: 'string',
    },
    default: 'posts',
    toStored: keptIf((value) => value === 'posts' || value === 'page'),
  },
  page_on_front: {
    schema: {
      title: 'Page on front',
      description: 'ID of the page that is the front page.',
      type: 'integer',
    },
    default: 0,
    perLanguage: 'pageOnFront',
  },
  page_for_posts: {
    schema: { description: 'ID of the page that shows the latest posts.', type: 'integer' },
    default: 0,
    perLanguage: 'pageForPosts',
  },
  default_ping_status: {
    schema: {
      description: 'Whether other sites can notify new posts of links to them.',
      type: 'string',
      enum: OPEN_OR_CLOSED,
    },
    default: 'open',
  },
  default_comment_status: {
    schema: {
      title: 'Allow comments on new posts',
      description: 'Whether readers can comment on new posts.',
      type: 'string',
      enum: OPEN_OR_CLOSED,
    },
    default: 'open',
  },
  site_logo: {
    schema: {
      title: 'Logo',
      description: 'ID of the media item with the logo of the site.',
      type: 'integer',
    },
    default: null,
  },
  site_icon: {
    schema: {
      title: 'Icon',
      description: 'ID of the media item with the icon of the site.',
      type: 'integer',
    },
    default: 0,
  },
  preview_url: {
    schema: {
      title: 'Preview address',
      description:
        'Address of the front end for previews, with {token} and, if it needs them, {id}, {type}, {base} (posts, pages), {slug} and {language}.',
      type: 'string',
    },
    isHidden: true,
    toStored: keptIf(isPreviewUrl),
  },
  ml_fallbacks: {
    schema: {
      title: 'Fallback languages',
      description:
        'Languages that stand in for one that a record is not translated into, the best first: {"fr-CA": ["fr", "en"]}. Requests ask for them with ml_fallback=default.',
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' }, maxItems: 20 },
    },
    isHidden: true,
    default: {},
  },
};

/** The settings that the API reads and writes, by name and in its order. */
export const SETTING_FIELDS: Readonly<Record<string, SettingField>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [
    name,
    { option: name, default: '', ...row, schema: { title: '', ...row.schema } },
  ]),
);

/** The options that settings are stored as. A value that the API would ignore is ignored. */
export function toSettingOptions(settings: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      const field = own(SETTING_FIELDS, name);
      const stored = field === undefined || value === null ? undefined : toStored(field, value);
      return field === undefined || stored === undefined ? [] : [[field.option, stored]];
    }),
  );
}

/** Most characters of a setting. Each page of the site shows some of them. */
export const SETTING_LENGTH = 1000;

/** The value to store; undefined for one that is ignored. */
export function toStored(field: SettingField, value: Json): Json | undefined {
  return field.toStored === undefined ? value : field.toStored(value);
}

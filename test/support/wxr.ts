/** An item of a WXR file. */
export interface WxrItemText {
  readonly id: number;
  readonly title: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly slug?: string;
  readonly type?: string;
  readonly status?: string;
  readonly parent?: number;
  readonly date?: string;
  readonly sticky?: boolean;
  readonly password?: string;
  readonly url?: string;
  readonly meta?: readonly (readonly [key: string, value: string])[];
  readonly terms?: readonly (readonly [taxonomy: string, slug: string])[];
  readonly comments?: readonly (readonly [id: number, parent: number, approved: string])[];
}

/** As WordPress writes texts. */
const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

const DATE = '2024-01-05 10:00:00';

function toComment([id, parent, approved]: readonly [number, number, string]): string {
  return (
    `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${cdata('Vera')}</wp:comment_author><wp:comment_date>${DATE}</wp:comment_date><wp:comment_date_gmt>${DATE}</wp:comment_date_gmt>` +
    `<wp:comment_content>${cdata('Nice ]]> one')}</wp:comment_content><wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type></wp:comment_type><wp:comment_parent>${parent}</wp:comment_parent><wp:comment_user_id>0</wp:comment_user_id></wp:comment>`
  );
}

/** An `<item>` as the exporter of WordPress writes it. */
export function toItem(item: WxrItemText): string {
  const {
    id,
    title,
    content = '',
    excerpt = '',
    slug = 'slug',
    type = 'post',
    status = 'publish',
    parent = 0,
    date = DATE,
    sticky = false,
    password = '',
    url,
    meta = [],
    terms = [],
    comments = [],
  } = item;
  return (
    `<item>\n<title>${cdata(title)}</title>\n<dc:creator>${cdata('ada')}</dc:creator><content:encoded>${cdata(content)}</content:encoded><excerpt:encoded>${cdata(excerpt)}</excerpt:encoded>` +
    `<wp:post_id>${id}</wp:post_id>\n<wp:post_date>${date}</wp:post_date><wp:post_date_gmt>${date}</wp:post_date_gmt><wp:comment_status>open</wp:comment_status><wp:ping_status>open</wp:ping_status>` +
    `<wp:post_name>${cdata(slug)}</wp:post_name><wp:status>${status}</wp:status><wp:post_parent>${parent}</wp:post_parent><wp:menu_order>0</wp:menu_order><wp:post_type>${type}</wp:post_type>` +
    `<wp:post_password>${cdata(password)}</wp:post_password><wp:is_sticky>${Number(sticky)}</wp:is_sticky>${url === undefined ? '' : `<wp:attachment_url>${cdata(url)}</wp:attachment_url>`}` +
    terms
      .map(
        ([taxonomy, name]) => `<category domain="${taxonomy}" nicename="${name}">${cdata(name)}</category>`,
      )
      .join('') +
    meta
      .map(
        ([key, value]) =>
          `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key>\n<wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
      )
      .join('') +
    `${comments.map(toComment).join('')}</item>\n`
  );
}

/** A WXR file with these items. `head`: declarations of terms. */
export function toWxr(items: readonly string[], head = ''): string {
  return (
    `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"` +
    ` xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">\n<channel>\n<title>Old site</title>\n<wp:wxr_version>1.2</wp:wxr_version>${head}\n${items.join('')}</channel>\n</rss>\n`
  );
}

import type { IncomingMessage } from 'node:http';
import { engineError } from '../../lib/core/errors.ts';
import { escapeAttribute, escapeText } from '../../lib/core/escape.ts';
import { own } from '../../lib/core/objects.ts';
import { changeRequest } from '../../lib/http/request.ts';
import { createRequest, type Engine, renamePath } from '../../lib/index.ts';
import type { Answer } from './page-answer.ts';
import { showFramed } from './page-frame.ts';
import { textsOf } from './page-texts.ts';

/** Path of the page where a person gives a program an application password, as `authorize-application.php` of WordPress. */
export const AUTHORIZE_PAGE = '/authorize-application';

const FIELDS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;
/** What a program asks for, with the names of WordPress. */
type Asked = Readonly<Record<(typeof FIELDS)[number], string>>;

/** A visit of the page. `form`: what was sent; null: the page is asked for. `address`: of the visitor. */
interface AuthorizeVisit {
  readonly query: URLSearchParams;
  readonly form: URLSearchParams | null;
  readonly siteUrl: string;
  readonly address: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** A scheme of a program on the phone or desktop of the visitor. */
const OWN_SCHEME = /^[a-z][a-z0-9+.-]*:$/;
const NEVER: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/** Whether a password may be sent to the address: over https, to this machine, or to a program by its own scheme. */
function isSafe(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  // The origin stands in the policy of the page, where these end a directive.
  if (/[;,]/.test(hostname)) return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.test(hostname);
  return OWN_SCHEME.test(protocol) && !NEVER.has(protocol);
}

/** What a form may lead to, for the policy of the page. */
function toTarget({ success_url: success, reject_url: reject }: Asked): string {
  const sources = [success, reject]
    .filter((each) => each !== '')
    .map((each) => (/^https?:/.test(each) ? new URL(each).origin : new URL(each).protocol));
  return [...new Set(sources)].join(' ');
}

const hidden = (asked: Asked): string =>
  FIELDS.map((name) => `<input type="hidden" name="${name}" value="${escapeAttribute(asked[name])}">`).join(
    '',
  );

function toForm(asked: Asked, language: string, { login, wrong }: { login: string; wrong: boolean }): string {
  const { authorize, authorizeMeaning, sentTo, user, password, wrongLogin, approve, reject } =
    textsOf(language);
  const name = escapeText(asked.app_name);
  const { success_url: success } = asked;
  // The name can lie, the address cannot.
  const place =
    success === ''
      ? ''
      : ` ${sentTo.replace('{}', escapeText(/^https?:/.test(success) ? new URL(success).host : new URL(success).protocol))}`;
  return (
    `<h1>${authorize.replace('{}', name)}</h1><p>${authorizeMeaning}${place}</p>${wrong ? `<p role="alert">${wrongLogin}</p>` : ''}` +
    `<form method="post" action="${AUTHORIZE_PAGE}">${hidden(asked)}<label>${user} <input name="login" value="${escapeAttribute(login)}" autocomplete="username" required></label> ` +
    `<label>${password} <input type="password" name="password" autocomplete="current-password" required></label> <button name="answer" value="approve">${approve}</button> <button name="answer" value="reject" formnovalidate>${reject}</button></form>`
  );
}

/** Where a program is told the answer. */
function toLocation(address: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Makes the password as the person, so that the rules and limits of logins hold. */
async function makePassword(
  engine: Engine,
  asked: Asked,
  {
    login,
    password,
    address,
    siteUrl,
  }: { login: string; password: string; address: string; siteUrl: string },
): Promise<{ readonly status: number; readonly password: string; readonly retryAfter: string | undefined }> {
  const { status, body, headers } = await engine.serve(
    changeRequest(
      createRequest(renamePath(engine.names, '/cms/v2/users/me/application-passwords'), {
        method: 'POST',
        body: { name: asked.app_name, ...(asked.app_id === '' ? {} : { app_id: asked.app_id }) },
        headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
        siteUrl,
      }),
      { address },
    ),
  );
  const made = status === 201 ? (JSON.parse(String(body)) as { readonly password: string }).password : '';
  return { status, password: made.replaceAll(' ', ''), retryAfter: own(headers, 'Retry-After') };
}

/**
 * Shows who asks for an application password, and makes it when a person approves with login and password. Each answer needs
 * both, so that a form of another site can do nothing; the page cannot be framed. The password is shown here, or sent to the
 * address that the program names.
 */
export async function showAuthorize(
  engine: Engine,
  { query, form, siteUrl, address }: AuthorizeVisit,
): Promise<Answer> {
  const [language = 'en'] = engine.prefixes;
  const given = form ?? query;
  const asked = Object.fromEntries(FIELDS.map((name) => [name, given.get(name) ?? ''])) as Asked;
  const texts = textsOf(language);
  const show = async (status: number, main: string, more: Partial<Answer> = {}): Promise<Answer> => ({
    ...(await showFramed(
      engine,
      { language, pathname: AUTHORIZE_PAGE, siteUrl, title: texts.authorize.replace('{}', '') },
      { status, main },
    )),
    cache: 'no-store',
    ...more,
  });
  const isValid = asked.app_name.trim() !== '' && isSafe(asked.success_url) && isSafe(asked.reject_url);
  if (!isValid) return show(400, `<h1>${texts.wrongAsk}</h1>`);
  const formTarget = toTarget(asked);
  const login = given.get('login') ?? '';
  if (form === null) return show(200, toForm(asked, language, { login, wrong: false }), { formTarget });
  if (form.get('answer') !== 'approve') {
    const location = asked.reject_url || asked.success_url;
    return location === ''
      ? show(200, `<h1>${texts.rejected}</h1>`)
      : show(303, '', {
          location: toLocation(location, asked.reject_url === '' ? { success: 'false' } : {}),
          formTarget,
        });
  }
  const made = await makePassword(engine, asked, {
    login,
    password: form.get('password') ?? '',
    address,
    siteUrl,
  });
  if (made.status !== 201)
    return show(made.status === 429 ? 429 : 403, toForm(asked, language, { login, wrong: true }), {
      formTarget,
      retryAfter: made.retryAfter,
    });
  const { success_url: success } = asked;
  return success === ''
    ? show(200, `<h1>${texts.approved}</h1><p><code>${made.password}</code></p>`)
    : show(303, '', {
        location: toLocation(success, { site_url: siteUrl, user_login: login, password: made.password }),
        formTarget,
      });
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Bytes of a form: a password, and the addresses of a program. */
const MOST_BYTES = 16_384;
const PATIENCE_MS = 10_000;

/** The fields of a form; null for any other body. @throws RestError for one that is too large or arrives too slowly */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!FORM.test(request.headers['content-type'] ?? '')) return null;
  const late = setTimeout(() => request.destroy(engineError('rest_body_timeout')), PATIENCE_MS);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw engineError('rest_body_too_large');
      chunks.push(chunk);
    }
    return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  } finally {
    clearTimeout(late);
  }
}

import { lookup } from 'node:dns/promises';
import { messageOf } from '../../../lib/core/thrown.ts';
import type { Webhook } from '../../../registry/core/host/ports.ts';
import { isWebhookSecret } from '../../../registry/site.ts';
import { createOutbound } from '../../outbound.ts';
import type { Additions } from '../frame/command.ts';
import {
  type CliOptions,
  type CliValues,
  toCount,
  toOrigins,
  toSiteUrl,
  toWord,
  UsageError,
} from '../frame/options.ts';
import { NAMES, SITE_OPTIONS, toContentKind, toPermalinks, toToolChoice } from '../site/site-options.ts';
import { ACCESS_FORMATS } from './access-log.ts';

const PREFIX = 'whsec_';

/** @throws TypeError for a short secret, or one that is not base64 after the prefix */
function toSecret(text: string): string {
  const secret = text.startsWith(PREFIX) ? text : PREFIX + Buffer.from(text).toString('base64');
  if (!isWebhookSecret(secret))
    throw new TypeError(`the secret of a webhook must have at least 16 bytes, in base64 after ${PREFIX}`);
  return secret;
}

function toAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The address is not quoted, because it may hold a password.
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new TypeError(
      'the address of a webhook must be an http or https address without a user name or fragment',
    );
  return url;
}

/**
 * The receiver of the operator: also at a private address, and on any port. `secret`: at least 16 characters; after `whsec_`, the key
 * in base64, and otherwise the text itself is the key.
 * @throws TypeError for another address or a short secret
 */
export function createWebhook(address: string, secret: string): Omit<Webhook, 'siteUrl'> {
  const url = toAddress(address);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return {
    url: url.href,
    secret: toSecret(secret),
    send: createOutbound({
      isAllowed: () => true,
      ports: [port],
      resolve: async (host) => (await lookup(host, { all: true })).map((each) => each.address),
    }),
  };
}

/** The options of `routebook serve`. */
export const SERVE_OPTIONS = {
  port: { value: 'N', default: '8787', help: 'Port to listen on; 0 picks a free one.' },
  host: { value: 'ADDRESS', default: '127.0.0.1', help: 'Address to listen on.' },
  'site-url': {
    value: 'URL',
    help: 'Public address behind a proxy: https://example.org. Default: where it listens.',
  },
  'front-end': {
    value: 'URL',
    help: 'Address with which links to pages begin: https://www.example.org. Default: the address of the site.',
  },
  'address-header': {
    value: 'NAME',
    help: 'Header that holds the address of the caller, such as x-real-ip. Only behind a proxy that sets it.',
  },
  store: SITE_OPTIONS.store,
  uploads: {
    value: 'DIRECTORY',
    help: 'Media library. Default: uploads beside a file store; with --store memory it is removed at the end.',
  },
  editor: {
    value: 'DIRECTORY',
    help: 'Serve the built block editor in it at /edit/ (docs/clients.md#the-block-editor).',
  },
  fixtures: {
    value: 'FILE',
    help: 'Content for an empty store (docs/fixtures.md), or the word demo. Default: demo, unless others can reach the server.',
  },
  names: NAMES,
  content: SITE_OPTIONS.content,
  plugins: SITE_OPTIONS.plugins,
  permalinks: {
    value: 'PATH',
    help: 'Addresses of posts: /%year%/%monthnum%/%postname%/ (docs/content-types.md). Default: permalinks of --config, or /%postname%/.',
  },
  config: SITE_OPTIONS.config,
  languages: SITE_OPTIONS.languages,
  prefixes: SITE_OPTIONS.prefixes,
  'default-language': SITE_OPTIONS['default-language'],
  'trusted-origins': {
    value: 'ORIGINS',
    help: 'Comma-separated origins whose pages may write with a stored login: https://app.example.',
  },
  'access-log': {
    value: 'FORMAT',
    help: 'A line for each request on standard output: json, or combined (as Apache and nginx).',
  },
  log: {
    value: 'FORMAT',
    help: 'Form of standard error: text or json. Default: json with --access-log json, or else text.',
  },
  metrics: { help: 'Serve figures for Prometheus at /metrics, to everybody who reaches it.' },
  notify: {
    value: 'URL',
    help: 'Send all events and notices here, signed with ROUTEBOOK_NOTIFY_SECRET (docs/changes.md). Adds the plugin changes.',
  },
  workers: {
    value: 'N',
    default: '1',
    help: 'Number of processes on the port, if the store allows several.',
  },
  'request-ids': { help: 'An X-Request-Id for each request, in its response and the log.' },
  'check-answers': { help: 'Hold each response to its schema; 500 for a violation. For development.' },
  'test-reset': { help: 'POST /__reset restores the initial content. Memory store only.' },
  jsonp: { help: 'Support _jsonp, always as for an anonymous caller.' },
  mcp: {
    value: 'TOOLS',
    help: 'Serve the routes as tools for agents at /mcp (docs/agents.md): find, all, or names with *.',
  },
  'no-openapi': { help: 'Do not serve openapi.json and the reference page.' },
} as const satisfies CliOptions;

const LOG_FORMATS = ['text', 'json'] as const;
const LAST_PORT = 65_535;
const MOST_WORKERS = 64;
const HEADER_NAME = /^[\w-]+$/;

/** @throws UsageError for another address, or without a secret */
function toWebhook(url: string): ReturnType<typeof createWebhook> {
  const secret = process.env['ROUTEBOOK_NOTIFY_SECRET'];
  if (secret === undefined || secret === '')
    throw new UsageError(
      '--notify needs a secret of at least 16 characters in the environment variable ROUTEBOOK_NOTIFY_SECRET',
    );
  try {
    return createWebhook(url, secret);
  } catch (error) {
    throw new UsageError(`--notify: ${messageOf(error)}`);
  }
}

/** @throws UsageError that names the invalid value */
export function toServeOptions(values: CliValues<typeof SERVE_OPTIONS>) {
  const {
    port,
    workers,
    content,
    permalinks,
    'site-url': siteUrl,
    'front-end': frontEnd,
    'address-header': addressHeader,
    'trusted-origins': trustedOrigins,
    'request-ids': requestIds,
    notify,
    mcp,
    'check-answers': checkAnswers,
    'test-reset': testReset,
    'no-openapi': withoutOpenApi,
    'access-log': accessLog,
    log,
    ...rest
  } = values;
  if (testReset && rest.store !== 'memory')
    throw new UsageError('--test-reset needs --store memory, because it would delete real content');
  if (addressHeader !== undefined && !HEADER_NAME.test(addressHeader))
    throw new UsageError(`--address-header: "${addressHeader}" is not a header name`);
  if (rest.metrics && workers !== '1')
    throw new UsageError(
      '--metrics needs one process: with --workers each of them would count its own requests',
    );
  return {
    ...rest,
    log: log === undefined ? (accessLog === 'json' ? 'json' : 'text') : toWord('--log', log, LOG_FORMATS),
    content: toContentKind(content),
    permalinks: permalinks === undefined ? undefined : toPermalinks(permalinks),
    accessLog: accessLog === undefined ? undefined : toWord('--access-log', accessLog, ACCESS_FORMATS),
    requestIds,
    checkAnswers,
    testReset,
    mcp: mcp === undefined ? undefined : toToolChoice(mcp),
    openapi: !withoutOpenApi,
    addressHeader: addressHeader?.toLowerCase(),
    siteUrl: siteUrl === undefined ? undefined : toSiteUrl('site-url', siteUrl),
    frontEnd: frontEnd === undefined ? undefined : toSiteUrl('front-end', frontEnd),
    plugins: notify === undefined ? rest.plugins : [rest.plugins, 'changes'].filter(Boolean).join(','),
    notify: notify === undefined ? undefined : toWebhook(notify),
    trustedOrigins: trustedOrigins === undefined ? [] : toOrigins('trusted-origins', trustedOrigins),
    port: toCount('port', port, { least: 0, most: LAST_PORT }),
    workers: toCount('workers', workers, { least: 1, most: MOST_WORKERS }),
  };
}

/** The checked options of `routebook serve`, and what its host brings. */
export type ServeOptions = ReturnType<typeof toServeOptions> & Partial<Additions>;

import {
  type Call,
  type Namespace,
  RawBody,
  RestError,
  RestResponse,
  type ValueCheck,
  can,
  defineNamespace,
} from '../../../lib/index.ts';
import { type Ports, escapeXml, readSettings, toErrorBody, toStatus } from '../../plugin.ts';
import { describeOwn, oembedError } from './embed.ts';
import { OEMBED_SETTINGS, PROVIDERS, type OembedSettings } from './providers.ts';
import { createResponseCache, describeAny } from './proxy.ts';
import { oembedDescriptor } from './routes.ts';

/** Members to write: texts, numbers and nested records. */
export type XmlMembers = Readonly<Record<string, unknown>>;

function toElements(members: XmlMembers): string {
  return Object.entries(members)
    .map(([name, value]) => {
      const content =
        typeof value === 'object' && value !== null
          ? toElements(value as XmlMembers)
          : escapeXml(String(value));
      return `<${name}>${content}</${name}>`;
    })
    .join('');
}

/** An oEmbed response, or the body of an error, as the XML of oembed.com 2.3.4.2. Names are not escaped, because they are our own. */
export function toOembedXml(members: XmlMembers): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<oembed>${toElements(members)}</oembed>\n`;
}

function toXmlResponse(members: XmlMembers, status = 200): RestResponse {
  return new RestResponse(new RawBody('text/xml; charset=UTF-8', toOembedXml(members)), { status });
}

/** Responds with XML, to errors as well. */
async function answerXml(work: Promise<XmlMembers>, { identity }: Call): Promise<RestResponse> {
  try {
    return toXmlResponse(await work);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return toXmlResponse({ ...toErrorBody(error, identity) }, toStatus(error, identity));
  }
}

/** Sizes are cast, so every text or number is accepted. Lists and objects are rejected. */
const toSizeCheck =
  (name: string): ValueCheck =>
  (value) =>
    typeof value === 'object'
      ? { code: 'rest_invalid_type', message: `${name} is not of type integer.`, data: { param: name } }
      : 'valid';

/**
 * oEmbed: describes posts of this site to other sites, and pages of other sites to editors.
 * `config.oembed`: see `OembedSettings`. @throws TypeError if a setting is not valid
 */
export function createOembedNamespace(ports: Ports): Namespace {
  const { providers = PROVIDERS } = readSettings<OembedSettings>(ports.config, 'oembed', OEMBED_SETTINGS);
  const parts = { ports, providers, cache: createResponseCache(ports.now) };
  return defineNamespace(
    oembedDescriptor,
    {
      'oembed.embed': ({ url, format, maxwidth }, call) => {
        const work = describeOwn(ports, call, { url, maxwidth });
        return format === 'xml' ? answerXml(work, call) : work.then((value) => new RestResponse(value));
      },
      'oembed.proxy': async (args, call) => new RestResponse(await describeAny(args, call, parts)),
    },
    {
      permissions: {
        'oembed.proxy': (_args, { identity }) => can(identity, 'edit_posts') || oembedError('rest_forbidden'),
      },
      checks: { 'oembed.maxwidth': toSizeCheck('maxwidth'), 'oembed.maxheight': toSizeCheck('maxheight') },
    },
  );
}

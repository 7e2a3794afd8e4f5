import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import * as assert from 'uvu/assert';
import type { Engine } from '../../lib/engine/engine.ts';

interface Operation {
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Request and response of one call. `pair`: `GET /cms/v2/posts/{id}`. */
export interface Exchange {
  readonly pair: string;
  /** Body of the request, if any. */
  readonly sent: unknown;
  readonly status: number;
  readonly body: unknown;
  /** Media type of the response. Default: JSON. */
  readonly type?: string;
}

/** A JSON pointer as part of a URL. */
const toPointer = (parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const;

/** Checks calls against the OpenAPI document of the engine as a validating client would, with the standard formats of JSON Schema only. */
export function createDocumentCheck(engine: Engine): (exchange: Exchange) => void {
  const document = JSON.parse(
    JSON.stringify(
      engine.describeOpenApi({ title: 'Site', version: '1', language: 'en', siteUrl: 'http://site.test' }),
    ),
  ) as Described;
  const ajv = new Ajv2020.default({ strict: false, validateSchema: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'http://site.test/openapi', ...document });
  const fit = (what: string, parts: readonly string[], value: unknown): void => {
    const $ref = `http://site.test/openapi#${toPointer(parts)}`;
    const check = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    assert.ok(
      check(value),
      `${what}: ${ajv.errorsText(check.errors)} ${JSON.stringify(value)?.slice(0, 400)}`,
    );
  };
  return ({ pair, sent, status, body, type = 'application/json' }) => {
    const [method = '', path = ''] = pair.split(' ');
    const operation = ['paths', path, method.toLowerCase()];
    const { responses, requestBody } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    if (status >= 400) {
      fit(`${pair}, error`, ['components', 'responses', 'Error', 'content', type, 'schema'], body);
      return;
    }
    assert.ok(status in responses || '2XX' in responses, `${pair} does not declare the status ${status}`);
    // DELETE also takes its parameters from a body, which OpenAPI leaves undefined.
    if (sent !== undefined && requestBody !== undefined)
      fit(`${pair}, request`, [...operation, 'requestBody', ...JSON_SCHEMA], sent);
    fit(
      `${pair}, answer`,
      [...operation, 'responses', status in responses ? String(status) : '2XX', ...JSON_SCHEMA],
      body,
    );
  };
}

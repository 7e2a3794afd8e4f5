import { listAllowed, prepareCall, createSiteView, createTimeLimit, toErrorResponse } from './prepare.ts';
import { describeOptions } from './discovery.ts';
import { engineError, toErrorBody, toStatus, type RestError } from './errors.ts';
import { toRestError } from './execute.ts';
import type { Host } from './host.ts';
import { ANONYMOUS, type Identity } from './identity.ts';
import { checkNames, type Names } from './names.ts';
import type { Namespace } from './namespace.ts';
import { parseQuery } from './params.ts';
import { changeRequest, type RestRequest } from './request.ts';
import { toWire, type Manner } from './respond.ts';
import { RawBody, RestResponse } from './response.ts';
import { createNamespaceIndex, createRoot, type DescribeSite } from './root.ts';
import type { LogEvent, Runtime, RuntimeOptions } from './runtime.ts';
import type { ArgSchemas } from './schema-dialect.ts';
import { compileTable, type RouteTable } from './table.ts';
import { Validators } from './validate.ts';
import type { WireResponse } from './wire.ts';

export interface EngineOptions extends Partial<Omit<RuntimeOptions, 'names'>> {
  readonly names: Names;
  /** Language prefixes of addresses; the first is the default. */
  readonly prefixes: readonly string[];
  readonly namespaces?: readonly Namespace[];
  /** Capability words that a descriptor may use as permission. */
  readonly capabilities?: ReadonlySet<string>;
  /** Args that every endpoint takes, except those of the root routes. */
  readonly commonArgs?: ArgSchemas;
  readonly describeSite: DescribeSite;
  /** Who is calling. Default: nobody. @throws RestError for credentials that are not right. */
  readonly authenticate?: (request: RestRequest) => Promise<Identity> | Identity;
  /** Answer `_jsonp` (always as for an anonymous caller). Default false. */
  readonly jsonp?: boolean;
  /** Largest answer. Bytes; default 8 MiB. */
  readonly answerLimit?: number;
}

/** Routes as data, served. */
export interface Engine extends Host {
  /** Adds namespaces, all or none, while serving. @throws TypeError naming what can not be served; nothing has changed then. */
  register(...namespaces: readonly Namespace[]): void;
  /** Takes a namespace away again. @throws TypeError when it is not registered. */
  unregister(namespace: string): void;
  /** Matches, validates and runs a request for a caller that is already known. Never rejects. */
  dispatch(request: RestRequest, identity?: Identity): Promise<RestResponse>;
}

const ANSWER_LIMIT = 8 * 1024 * 1024;
const HANDLER_TIMEOUT_MS = 30_000;
const CALLBACK = /^[\w.]+$/;
const NO_CAPABILITIES: ReadonlySet<string> = new Set();

function writeLog(event: LogEvent): void {
  console.error(event.message, event.error);
}

/** A log that fails must not turn an answer into a rejection. */
function toSafeLog(log: (event: LogEvent) => void): (event: LogEvent) => void {
  return (event) => {
    try {
      log(event);
    } catch (error) {
      writeLog({ level: 'error', message: 'the log failed', error });
    }
  };
}

function toRuntimeOptions(options: EngineOptions): RuntimeOptions {
  return {
    names: options.names,
    languageParam: options.languageParam ?? null,
    catalogues: options.catalogues ?? {},
    log: toSafeLog(options.log ?? writeLog),
    handlerTimeoutMs: options.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS,
  };
}

/** The root routes, then each namespace behind the route that describes it. */
function withRootRoutes(namespaces: readonly Namespace[], { describeSite, names: words }: EngineOptions): readonly Namespace[] {
  const names = namespaces.map((namespace) => namespace.descriptor.namespace);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`${twice}: the namespace is registered already`);
  return [createRoot(describeSite), ...namespaces.flatMap((namespace) => (
    namespace.descriptor.index === false ? [namespace] : [createNamespaceIndex(namespace.descriptor, words), namespace]
  ))];
}

/** A caller can turn a POST into another method where only GET and POST get through; `_method` wins over the header. */
function toMethod(request: RestRequest, override: unknown): string {
  const wanted = typeof override === 'string' ? override : request.headers['x-http-method-override'];
  if (wanted === undefined || wanted === '') return request.method;
  // A link or picture on a foreign page must not write with the browser's stored login.
  const site = request.headers['sec-fetch-site'];
  if (request.method !== 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none') return request.method;
  return wanted.toUpperCase();
}

function withMethod(request: RestRequest, method: string): RestRequest {
  return method === request.method ? request : changeRequest(request, { method });
}

function checkCallback(callback: unknown, isEnabled: boolean): string | null {
  if (callback === undefined) return null;
  if (!isEnabled) throw engineError('rest_callback_disabled');
  if (typeof callback !== 'string' || !CALLBACK.test(callback)) throw engineError('rest_callback_invalid');
  return callback;
}

async function describeRequest(runtime: Runtime): Promise<RestResponse> {
  const found = runtime.table.find(runtime.request.path);
  if (found === null) return new RestResponse({});
  const limit = createTimeLimit(runtime);
  const allowed = await listAllowed(runtime, { route: found.target, path: found.params }, { limit });
  const headers: Record<string, string> = allowed.length === 0 ? {} : { Allow: allowed.join(', ') };
  return new RestResponse(describeOptions(createSiteView(runtime, limit), found.target), { headers });
}

/** Builds an engine. @throws TypeError naming namespace, pattern and method of the first descriptor that can not be served. */
export function createEngine(options: EngineOptions): Engine {
  checkNames(options.names);
  const runtimeOptions = toRuntimeOptions(options);
  const validators = new Validators();
  const compile = (namespaces: readonly Namespace[]): RouteTable => compileTable(withRootRoutes(namespaces, options), (descriptor) => ({
    names: options.names, validators, capabilities: options.capabilities ?? NO_CAPABILITIES,
    commonArgs: descriptor.namespace === '' ? {} : options.commonArgs ?? {},
  }));
  let registered = options.namespaces ?? [];
  let table = compile(registered);

  const createRuntime = (request: RestRequest, identity: Identity): Runtime => ({ table, options: runtimeOptions, identity, request });
  const dispatch = async (request: RestRequest, identity: Identity = ANONYMOUS): Promise<RestResponse> => {
    const runtime = createRuntime(request, identity);
    try {
      return request.method === 'OPTIONS' ? await describeRequest(runtime) : await prepareCall(runtime).run();
    } catch (error) {
      return toErrorResponse(runtime, error);
    }
  };

  return {
    prefixes: options.prefixes,
    apiSegment: options.names.apiSegment,
    apiRelation: options.names.apiRelation,
    register(...namespaces) {
      const next = [...registered, ...namespaces];
      table = compile(next);
      registered = next;
    },
    unregister(name) {
      const next = registered.filter((namespace) => namespace.descriptor.namespace !== name);
      if (next.length === registered.length) throw new TypeError(`${name}: the namespace is not registered`);
      table = compile(next);
      registered = next;
    },
    dispatch,
    serve: (request) => serveRequest(request, { options, dispatch, log: runtimeOptions.log }),
    refuse: (error, request) => refuseRequest(error, { request, options }),
  };
}

interface ServeParts {
  readonly options: EngineOptions;
  readonly dispatch: Engine['dispatch'];
  readonly log: RuntimeOptions['log'];
}

async function serveRequest(request: RestRequest, { options, dispatch, log }: ServeParts): Promise<WireResponse> {
  const manner = { names: options.names, identity: ANONYMOUS, request, envelope: false, callback: null, answerLimit: options.answerLimit ?? ANSWER_LIMIT };
  try {
    const { params } = parseQuery(request.query);
    const callback = checkCallback(params['_jsonp'], options.jsonp === true);
    const identity = callback === null ? await options.authenticate?.(request) ?? ANONYMOUS : ANONYMOUS;
    const response = await dispatch(withMethod(request, toMethod(request, params['_method'])), identity);
    return toWire(response, { ...manner, identity, callback, envelope: params['_envelope'] !== undefined });
  } catch (error) {
    return toFailure(toRestError(error, log, `answering ${request.method} ${request.path}`), manner);
  }
}

function refuseRequest(error: RestError, { request, options }: { request: Pick<RestRequest, 'method' | 'headers'>; options: EngineOptions }): WireResponse {
  return toFailure(error, { names: options.names, identity: ANONYMOUS, request, envelope: false, callback: null, answerLimit: ANSWER_LIMIT });
}

function toFailure(error: RestError, manner: Manner): WireResponse {
  // A page waits for a script here: it gets a script's media type, but no function of its choice is called.
  if (error.code === 'rest_callback_invalid') {
    return toWire(new RestResponse(new RawBody('application/javascript; charset=UTF-8', JSON.stringify({ code: error.code, message: error.message })), { status: 400 }), manner);
  }
  const status = toStatus(error, manner.identity);
  return toWire(new RestResponse(toErrorBody(error, manner.identity), { status, headers: { ...error.headers } }), manner);
}

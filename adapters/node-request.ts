import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Address } from '../lib/address.ts';
import { engineError } from '../lib/errors.ts';
import type { Body, RestRequest } from '../lib/request.ts';
import type { HttpLimits } from './http-limits.ts';
import { announcesBody, bodyTooLarge } from './intake.ts';
import type { HeaderMap } from './intake.ts';

const NO_BODY: Body = Object.freeze({ kind: 'none' });
const HOST = /^(?:[\w.~%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** A request from a socket. The signal is made only when somebody asks for it. */
export class NodeRequest implements RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly language: string;
  readonly siteUrl: string;
  readonly headers: HeaderMap;
  readonly address: string;
  body: Body = NO_BODY;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(exchange: Exchange, address: Address, known: { readonly headers: HeaderMap; readonly siteUrl: string }) {
    this.method = exchange.request.method ?? 'GET';
    this.path = address.path;
    this.query = address.query;
    this.language = address.language;
    this.siteUrl = known.siteUrl;
    this.headers = known.headers;
    this.address = exchange.request.socket.remoteAddress ?? '';
    this.#response = exchange.response;
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    const response = this.#response;
    this.#controller = controller;
    if (response.destroyed && !response.writableFinished) controller.abort();
    response.once('close', () => { if (!response.writableFinished) controller.abort(); });
    return controller.signal;
  }
}

/** One request and its answer on a connection. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
  /** The bytes that came are no longer HTTP: the connection ends with this answer. */
  broken: boolean;
}

/** @throws RestError `rest_bad_request`: no Host or a strange one, or a transfer coding where there is none */
export function checkVersion(version: string, headers: HeaderMap): void {
  const host = headers['host'];
  if (host === undefined ? version !== '1.0' : !HOST.test(host)) {
    throw engineError('rest_bad_request', { message: 'The Host header is missing or not a host name with an optional port.' });
  }
  // RFC 9112 6.1: an HTTP/1.0 message with a transfer coding has faulty framing.
  if (version === '1.0' && headers['transfer-encoding'] !== undefined) {
    throw engineError('rest_bad_request', { message: 'HTTP/1.0 knows no Transfer-Encoding.' });
  }
}

/**
 * Reads the body, up to the limit.
 * @throws RestError `rest_body_too_large`; whatever the connection reported when the client went away or broke off.
 */
export function readBody({ request, response, awaitsContinue }: Exchange, limits: HttpLimits): Promise<Uint8Array> {
  if (awaitsContinue) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const stop = (error: unknown): void => {
      request.off('data', take).off('end', finish).off('error', stop);
      reject(error);
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size > limits.bodyBytes) stop(bodyTooLarge(limits));
      else chunks.push(chunk);
    };
    const finish = (): void => {
      request.off('data', take).off('end', finish).off('error', stop);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    request.on('data', take).on('end', finish).on('error', stop);
  });
}

/** Whether bytes of the body may still come. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return !request.complete && announcesBody({ 'content-length': length, 'transfer-encoding': coding });
}

/** Where the connection came in: `http://127.0.0.1:8787`. The Host header is not asked: whoever sends it may write anything. */
export function toOwnAddress(socket: Socket): string {
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '');
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 0}`;
}

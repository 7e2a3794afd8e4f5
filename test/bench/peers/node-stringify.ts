import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Corpus } from '../corpus.ts';
import {
  Content,
  isAdmin,
  pageHeaders,
  toEtag,
  UNAUTHORIZED,
  type ListArgs,
  type PostArgs,
} from './content.ts';
import { BASE, JSON_TYPE, listen, type StartPeer } from './peer.ts';

const POSTS = `${BASE}/cms/v2/posts`;

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

const toIds = (value: unknown): { readonly ids: readonly number[] } | null =>
  value === undefined ? null : { ids: [Number(value)] };

/** Parses only the parameters that the workloads use. */
function toListArgs(query: string): ListArgs {
  const { page, per_page: perPage, order, categories, author, exclude, after, before } = parse(query);
  const [inCategories, by, without] = [toIds(categories), toIds(author), toIds(exclude)];
  return {
    page: Number(page ?? 1),
    per_page: Number(perPage ?? 10),
    order: String(order ?? 'desc'),
    ...(inCategories === null ? {} : { categories: inCategories.ids }),
    ...(by === null ? {} : { author: by.ids }),
    ...(without === null ? {} : { exclude: without.ids }),
    ...(after === undefined ? {} : { after: String(after) }),
    ...(before === undefined ? {} : { before: String(before) }),
  };
}

function answerGet(url: string, content: Content, corpus: Corpus): Answer {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path === POSTS) {
    const args = toListArgs(mark === -1 ? '' : url.slice(mark + 1));
    if (!(args.per_page >= 1 && args.per_page <= 100)) return { status: 400, body: corpus.badRequest };
    const page = content.list(args);
    return { headers: pageHeaders(page, args.per_page), body: page.posts };
  }
  if (path === `${BASE}/`) return { body: corpus.index };
  const post = path.startsWith(`${POSTS}/`) ? content.read(Number(path.slice(POSTS.length + 1))) : undefined;
  return post === undefined ? { status: 404, body: corpus.notFound } : { body: post };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, headers = {}, body, etag }: Answer & { readonly etag: boolean },
): void {
  const text = JSON.stringify(body);
  const tag = etag ? { ETag: toEtag(text) } : {};
  if (etag && request.headers['if-none-match'] === tag.ETag) {
    response.writeHead(304, tag).end();
    return;
  }
  response.writeHead(status, {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(text),
    ...headers,
    ...tag,
  });
  if (request.method === 'HEAD') response.end();
  else response.end(text);
}

export const startNodeStringify: StartPeer = (corpus, { etag }) => {
  const content = new Content(corpus);
  return listen(
    createServer((request, response) => {
      if (request.method !== 'POST') {
        send(request, response, { ...answerGet(request.url ?? '', content, corpus), etag });
        return;
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
      });
      request.on('end', () => {
        if (!isAdmin(request.headers.authorization)) {
          send(request, response, { status: 401, body: UNAUTHORIZED, etag: false });
          return;
        }
        send(request, response, {
          status: 201,
          body: content.create(JSON.parse(Buffer.concat(chunks).toString()) as PostArgs),
          etag: false,
        });
      });
    }),
  );
};

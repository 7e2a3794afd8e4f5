import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import { context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { CallTrace } from '../../../lib/dispatch/trace.ts';
import type { Engine } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import type { Around } from '../../../lib/route/call.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const SITE = 'http://site.test';
const PATTERN = '/probe/v1/(?P<id>[a-z]+)';
const NAME = 'routebook:call';

/** What an adapter would hand over. */
const toRequest = (path: string, parts: Partial<RestRequest> = {}): RestRequest => ({
  ...createRequest(path, { siteUrl: SITE }),
  target: `/en/cms-json${path}`,
  ...parts,
});

/** A subscriber for all events; `note` gets the name of the event and its message. */
function listen(note: (event: string, message: CallTrace) => void) {
  const to =
    (event: string) =>
    (message: CallTrace): void =>
      note(event, message);
  return {
    start: to('start'),
    end: to('end'),
    asyncStart: to('asyncStart'),
    asyncEnd: to('asyncEnd'),
    error: to('error'),
  };
}

/** The ended calls while a function runs. */
async function trail(run: () => Promise<unknown>): Promise<readonly CallTrace[]> {
  const ended: CallTrace[] = [];
  const subscriber = listen((event, message) => {
    if (event === 'asyncEnd') ended.push(message);
  });
  const channel = tracingChannel<unknown, CallTrace>(NAME);
  channel.subscribe(subscriber);
  try {
    await run();
  } finally {
    channel.unsubscribe(subscriber);
  }
  return ended;
}

const toRow = ({ request, namespace, pattern, status, cached }: CallTrace): string =>
  `${request.method} ${namespace} ${pattern} ${status}${cached ? ' cached' : ''}`;

function open(around?: Around): { readonly engine: Engine; readonly close: () => Promise<void> } {
  const store = createMemoryStore([{ name: 'posts', fields: {} }]);
  const probe = createProbe({
    pattern: PATTERN,
    endpoint: { methods: ['GET', 'POST'], cache: ['posts'], args: { n: { type: 'integer' } } },
    ...(around === undefined ? {} : { around }),
  });
  return { engine: createTestEngine([probe], { cache: { store } }), close: () => store.close() };
}

const tracing = suite('the channel routebook:call');

for (const [title, around] of [
  ['', undefined],
  [', also within around', (_call, next) => next()],
] as const satisfies readonly (readonly [string, Around | undefined])[]) {
  tracing(`tells the route, the status and whether the response was cached${title}`, async () => {
    const { engine, close } = open(around);
    const ended = await trail(async () => {
      await engine.serve(toRequest('/probe/v1/it'));
      const { headers } = await engine.serve(toRequest('/probe/v1/it'));
      await engine.serve(
        toRequest('/probe/v1/it', { headers: { 'if-none-match': String(headers['ETag']) } }),
      );
      await engine.serve(toRequest('/probe/v1/it?n=x'));
      await engine.serve(toRequest('/probe/v1/it', { method: 'OPTIONS' }));
      await engine.serve(toRequest('/nowhere'));
      await engine.dispatch(createRequest('/probe/v1/it', { method: 'POST' }));
    });
    assert.equal(ended.map(toRow), [
      `GET probe/v1 ${PATTERN} 200`,
      `GET probe/v1 ${PATTERN} 200 cached`,
      `GET probe/v1 ${PATTERN} 304 cached`,
      `GET probe/v1 ${PATTERN} 400`,
      `OPTIONS probe/v1 ${PATTERN} 200`,
      'GET null null 404',
      `POST probe/v1 ${PATTERN} 200`,
    ]);
    await close();
  });
}

tracing('is not passed by when a response is ready, and costs nobody else the ready one', async () => {
  const { engine, close } = open();
  const target = '/en/cms-json/probe/v1/it';
  await engine.serve(toRequest('/probe/v1/it'));
  assert.ok(await engine.ready?.(SITE, target));
  await trail(async () => {
    assert.is(await engine.ready?.(SITE, target), null);
  });
  assert.ok(await engine.ready?.(SITE, target));
  await close();
});

tracing('traces each item of a batch, with the batch as the call around it', async () => {
  const { engine, close } = open();
  const body = { requests: [{ path: '/probe/v1/it' }, { path: '/probe/v1/it?n=x' }, { path: '/nowhere' }] };
  const ended = await trail(() => engine.dispatch(createRequest('/batch/v1', { method: 'POST', body })));
  assert.equal(
    ended.map((each) => `${toRow(each)} in ${each.outer?.pattern ?? null}`),
    [
      `POST probe/v1 ${PATTERN} 200 in /batch/v1`,
      `POST probe/v1 ${PATTERN} 400 in /batch/v1`,
      'POST null null 404 in /batch/v1',
      'POST  /batch/v1 207 in null',
    ],
  );
  await close();
});

tracing('begins before authentication, and the stores that are bound to it hold in the handler', async () => {
  const current = new AsyncLocalStorage<CallTrace>();
  const seen: unknown[] = [];
  const channel = tracingChannel<CallTrace, CallTrace>(NAME);
  channel.start.bindStore(current, (message) => message);
  try {
    const note = (): void => {
      seen.push(current.getStore()?.request.path, current.getStore()?.status);
    };
    const engine = createTestEngine(
      [
        createProbe({
          handler: async () => {
            await setImmediate();
            note();
            return 1;
          },
        }),
      ],
      {
        authenticate: () => {
          note();
          return null;
        },
      },
    );
    await engine.serve(toRequest('/probe/v1/it'));
  } finally {
    channel.start.unbindStore(current);
  }
  assert.equal(seen, ['/probe/v1/it', null, '/probe/v1/it', null]);
});

tracing('ends with the status of a failure', async () => {
  const engine = createTestEngine(
    [
      createProbe({
        handler: () => {
          throw new Error('a bug');
        },
      }),
    ],
    {
      authenticate: ({ query }) => {
        if (query === 'who') throw new Error('no idea');
        return null;
      },
    },
  );
  const ended = await trail(async () => {
    await engine.serve(toRequest('/probe/v1/it'));
    await engine.serve(toRequest('/probe/v1/it?who'));
  });
  assert.equal(ended.map(toRow), ['GET probe/v1 /probe/v1/it 500', 'GET null null 500']);
});

tracing.run();

const spans = suite('spans of OpenTelemetry');

/** As in docs/calls.md. */
function recordSpans(tracer: Tracer): () => void {
  const open = new WeakMap<CallTrace, Span>();
  const noop = (): void => undefined;
  const subscriber = {
    start(call: CallTrace): void {
      const outer = call.outer === null ? undefined : open.get(call.outer);
      const parent = outer === undefined ? context.active() : trace.setSpan(context.active(), outer);
      open.set(
        call,
        tracer.startSpan(
          call.request.method,
          {
            kind: SpanKind.SERVER,
            attributes: { 'http.request.method': call.request.method, 'url.path': call.request.path },
          },
          parent,
        ),
      );
    },
    asyncEnd(call: CallTrace): void {
      const span = open.get(call);
      if (span === undefined) return;
      if (call.pattern !== null)
        span.updateName(`${call.request.method} ${call.pattern}`).setAttribute('http.route', call.pattern);
      span.setAttributes({
        'http.response.status_code': call.status ?? 0,
        'routebook.namespace': call.namespace ?? '',
        'routebook.cached': call.cached,
      });
      if ((call.status ?? 0) >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    end: noop,
    asyncStart: noop,
    error: noop,
  };
  const channel = tracingChannel<unknown, CallTrace>(NAME);
  channel.subscribe(subscriber);
  return () => channel.unsubscribe(subscriber);
}

spans('have the route, the status and their place in a batch', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const { engine, close } = open();
  const stop = recordSpans(provider.getTracer('test'));
  try {
    await engine.serve(toRequest('/probe/v1/it'));
    await engine.serve(toRequest('/probe/v1/it'));
    await engine.dispatch(
      createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path: '/probe/v1/it' }] } }),
    );
  } finally {
    stop();
  }
  const ended = exporter.getFinishedSpans();
  assert.equal(
    ended.map(({ name, attributes }) => [
      name,
      attributes['http.route'],
      attributes['http.response.status_code'],
      attributes['routebook.cached'],
    ]),
    [
      [`GET ${PATTERN}`, PATTERN, 200, false],
      [`GET ${PATTERN}`, PATTERN, 200, true],
      [`POST ${PATTERN}`, PATTERN, 200, false],
      ['POST /batch/v1', '/batch/v1', 207, false],
    ],
  );
  assert.equal(
    ended.map(({ kind, parentSpanContext }) => [kind, parentSpanContext?.spanId]),
    [
      [SpanKind.SERVER, undefined],
      [SpanKind.SERVER, undefined],
      [SpanKind.SERVER, ended[3]?.spanContext().spanId],
      [SpanKind.SERVER, undefined],
    ],
  );
  await provider.shutdown();
  await close();
});

spans.run();

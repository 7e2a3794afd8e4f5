import type { Call, Handler } from '../../lib/route/call.ts';
import type { EndpointDescriptor } from '../../lib/route/descriptor.ts';
import type { Namespace } from '../../lib/route/namespace.ts';

/** What the handler of a probe received. */
export interface Seen {
  readonly args: Readonly<Record<string, unknown>>;
  readonly call: Call;
}

export interface ProbeParts extends Partial<Omit<Namespace, 'descriptor' | 'handlers'>> {
  /** Default: returns the args. */
  readonly handler?: (args: Readonly<Record<string, unknown>>, call: Call) => unknown;
  readonly endpoint?: Partial<EndpointDescriptor>;
  readonly pattern?: string;
  readonly namespace?: string;
}

/** A namespace with one public, batchable route `GET /probe/v1/it`, whose handler returns its args. */
export function createProbe({
  handler = (args) => args,
  endpoint = {},
  pattern = '/probe/v1/it',
  namespace = 'probe/v1',
  ...parts
}: ProbeParts = {}): Namespace {
  return {
    descriptor: {
      namespace,
      routes: [
        {
          pattern,
          endpoints: [
            {
              methods: ['GET'],
              handler: 'probe',
              permission: 'public',
              allow_batch: { v1: true },
              args: {},
              ...endpoint,
            },
          ],
        },
      ],
    },
    handlers: { probe: handler as Handler },
    permissions: {},
    checks: {},
    embeds: {},
    ...parts,
  };
}

/** A probe that records every call of its handler. */
export function createNotedProbe(parts: Omit<ProbeParts, 'handler'> = {}): {
  readonly namespace: Namespace;
  readonly seen: Seen[];
} {
  const seen: Seen[] = [];
  const namespace = createProbe({
    ...parts,
    handler: (args, call) => {
      seen.push({ args, call });
      return args;
    },
  });
  return { namespace, seen };
}

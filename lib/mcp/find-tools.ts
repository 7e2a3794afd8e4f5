import { isObject } from '../core/objects.ts';
import type { Action } from '../describe/actions.ts';
import type { Call } from '../route/call.ts';
import { callTool, type ToolResult, toValueResult } from './call-tool.ts';
import { RpcError, type RpcParams } from './protocol.ts';
import { summaryOf, toTool } from './tools.ts';

const NAME = { type: 'string' } as const;

/** The actions of the caller, and all that have tools. */
export interface Reachable {
  readonly mine: () => Promise<readonly Action[]>;
  readonly find: (name: string) => Action | undefined;
}

function need({ find }: Reachable, name: unknown): Action {
  const action = typeof name === 'string' ? find(name) : undefined;
  if (action === undefined)
    throw new RpcError(
      'invalidParams',
      `Unknown action: ${JSON.stringify(name)}. The tool search lists the names.`,
    );
  return action;
}

/** The three tools that reach all others. Each is one short line, because agents read them in every conversation. */
export const FIND_TOOLS = [
  {
    name: 'search',
    description: 'Find actions by words; without words, all. Returns names with summaries.',
    inputSchema: { type: 'object', properties: { words: NAME } },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'describe',
    description: 'Show what an action takes and returns.',
    inputSchema: { type: 'object', properties: { name: NAME }, required: ['name'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'run',
    description: 'Run an action with the arguments that describe shows.',
    inputSchema: {
      type: 'object',
      properties: { name: NAME, arguments: { type: 'object' } },
      required: ['name'],
    },
    annotations: { destructiveHint: true },
  },
] as const;

/** Most actions of one search. */
const MOST_FOUND = 100;

interface Found {
  readonly name: string;
  readonly summary: string;
}

/** The actions that hold every word in name, summary or path, those with the words in their names first. */
function search(actions: readonly Action[], words: readonly string[], { site }: Call): readonly Found[] {
  const found = actions
    .map((action) => {
      const summary = summaryOf(action, site);
      const name = action.name.toLowerCase();
      const text = `${name} ${summary.toLowerCase()} ${action.route.pattern}`;
      const isFound = words.every((word) => text.includes(word));
      return {
        found: { name: action.name, summary },
        isFound,
        hits: words.filter((word) => name.includes(word)).length,
      };
    })
    .filter(({ isFound }) => isFound);
  return found
    .toSorted((one, other) => other.hits - one.hits)
    .slice(0, MOST_FOUND)
    .map((each) => each.found);
}

/** Runs one of the three tools. undefined: there is no such tool. @throws RpcError for an unknown action */
export async function callFindTool(
  name: string,
  args: RpcParams,
  { call, reachable }: { readonly call: Call; readonly reachable: Reachable },
): Promise<ToolResult | undefined> {
  if (name === 'search') {
    const words = String(args['words'] ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const actions = search(await reachable.mine(), words, call);
    return toValueResult({ actions });
  }
  if (name === 'describe') return toValueResult(toTool(need(reachable, args['name']), call));
  if (name !== 'run') return undefined;
  const { arguments: given = {} } = args;
  if (!isObject(given)) throw new RpcError('invalidParams', 'arguments must be an object.');
  return callTool(need(reachable, args['name']), given, call);
}

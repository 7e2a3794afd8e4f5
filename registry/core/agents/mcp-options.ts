import type { McpOptions } from '../../../lib/engine/mcp-routes.ts';
import { createResources, type RecordSite } from './resources.ts';

/** The option `mcp` of the engine of a site. */
export function toMcp(
  mcp: boolean | Omit<McpOptions, 'resources'> = false,
  site: RecordSite,
): { readonly mcp?: McpOptions } {
  if (mcp === false) return {};
  const chosen = mcp === true ? {} : mcp;
  return { mcp: { name: 'routebook', ...chosen, resources: createResources(site) } };
}

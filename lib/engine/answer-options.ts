import { describeOptions } from '../describe/discovery.ts';
import { listAllowed, withAllow } from '../dispatch/allow.ts';
import { createCallScope } from '../dispatch/prepare.ts';
import type { Runtime } from '../dispatch/runtime.ts';
import { readShape } from '../dispatch/shape.ts';
import { noteRoute } from '../dispatch/trace.ts';
import { parseQuery } from '../http/query-string.ts';
import { RestResponse } from '../http/response.ts';
import { selectFields } from '../http/select-fields.ts';

/** The response to OPTIONS: what the route takes, and `Allow`. An unknown path is described by nothing. */
export async function answerOptions(runtime: Runtime): Promise<RestResponse> {
  const found = runtime.table.find(runtime.request.path);
  if (found === null) return new RestResponse({});
  const { view } = found.target;
  noteRoute(runtime.trace, view);
  const { fields } = readShape(runtime.request, runtime.query ?? parseQuery(runtime.request.query));
  const scope = createCallScope(runtime);
  const allowed = await listAllowed(runtime, { route: found.target, path: found.params, asked: null }, scope);
  const description = describeOptions(scope.site, view);
  return withAllow(
    new RestResponse(fields === null ? description : selectFields(description, fields)),
    allowed,
  );
}

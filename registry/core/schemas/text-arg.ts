import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';

/** A text of a record, as it was written and as it is shown. `what`: the first word of both descriptions. */
export const textArg = (description: string, what: string) =>
  ({
    description,
    type: 'object',
    properties: {
      raw: { description: `${what} as it was written.`, type: 'string', context: ['edit'] },
      rendered: {
        description: `${what} as HTML, ready for display.`,
        type: 'string',
        context: ['view', 'edit', 'embed'],
        readonly: true,
      },
    },
  }) as const satisfies ArgSchema;

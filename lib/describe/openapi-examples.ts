import { renameParam } from '../core/names.ts';
import { own } from '../core/objects.ts';
import type { EndpointDescriptor, ExampleDescriptor } from '../route/descriptor.ts';
import type { Document, View } from './openapi-schema.ts';

/** The examples that have a value for one place of the document, by name. `read` returns undefined for the others. */
function toExamples(
  view: View,
  { examples = {} }: EndpointDescriptor,
  read: (example: ExampleDescriptor) => unknown,
): Document {
  const shown = Object.entries(examples).flatMap(([name, example]) => {
    const value = read(example);
    return value === undefined
      ? []
      : [
          [
            name,
            { ...(example.summary === undefined ? {} : { summary: view.translate(example.summary) }), value },
          ] as const,
        ];
  });
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
}

/** The values of one parameter, which `read` finds among all. */
export function toArgExamples(
  view: View,
  endpoint: EndpointDescriptor,
  read: (args: NonNullable<ExampleDescriptor['args']>) => unknown,
): Document {
  return toExamples(view, endpoint, ({ args = {} }) => read(args));
}

/** The values of the JSON body that has these members. If the whole body is one list, it is the value of the parameter `body`. */
export function toBodyExamples(
  view: View,
  endpoint: EndpointDescriptor,
  members: readonly string[],
): Document {
  return toExamples(view, endpoint, ({ args = {} }) => {
    if (endpoint.bodyForm === 'array') return own(args, 'body');
    const sent = Object.entries(args).filter(([name]) => members.includes(name));
    return sent.length === 0
      ? undefined
      : Object.fromEntries(sent.map(([name, value]) => [renameParam(view.names, name), value]));
  });
}

/** The responses. */
export function toAnswerExamples(view: View, endpoint: EndpointDescriptor): Document {
  return toExamples(view, endpoint, ({ answer }) => answer);
}

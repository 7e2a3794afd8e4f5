import type { DocumentRule } from '../core/check-document.ts';
import { STREAM_FORMATS } from '../http/stream-body.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { checkSchema } from '../schema/check-schema.ts';

const FORMATS = Object.keys(STREAM_FORMATS);

/** What `streams` of an endpoint must be. */
export const STREAMS: DocumentRule = {
  wanted: `one of ${FORMATS.join(', ')}, or a list of different ones of them`,
  fits(value) {
    const given: readonly unknown[] = [value].flat();
    return (
      given.length > 0 &&
      new Set(given).size === given.length &&
      given.every((each) => FORMATS.some((format) => format === each))
    );
  },
};

const SUCCESS = /^2(?:\d\d|XX)$/;

/** @throws TypeError for statuses and schemas that no response can have */
export function checkAnswers(where: string, { answers, shows, status }: EndpointDescriptor): void {
  if (answers === undefined) return;
  const statuses = Object.entries(answers);
  const wrong = statuses.find(([name]) => !SUCCESS.test(name));
  if (wrong !== undefined || statuses.length === 0)
    throw new TypeError(
      `${where}: answers ${wrong === undefined ? 'is empty' : `has the member "${wrong[0]}"`}; its members must be statuses from 200 to 299, or 2XX, such as { 200: { type: 'object' } }`,
    );
  for (const [name, schema] of statuses) checkSchema(`${where}, answers.${name}`, schema);
  if (shows !== undefined)
    throw new TypeError(`${where}: shows and answers cannot both be given; both describe the response`);
  if (status !== undefined)
    throw new TypeError(
      `${where}: status and answers cannot both be given; the members of answers are the statuses`,
    );
}

/** A stream is sent while it is made: it cannot be kept, nor be part of another response. @throws TypeError */
export function checkStreams(
  where: string,
  { streams, cache, allow_batch: batch }: EndpointDescriptor,
): void {
  if (streams === undefined) return;
  if (cache !== undefined)
    throw new TypeError(`${where}: streams and cache cannot both be given; a stream is not cached`);
  if (batch !== undefined)
    throw new TypeError(`${where}: streams and allow_batch cannot both be given; a batch is one response`);
}

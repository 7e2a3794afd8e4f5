/** The lines of a body while it arrives. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split(/\r\n|\n|\r(?!$)/);
      rest = done ? '' : (lines.pop() as string);
      yield* lines;
      if (done) return;
    }
  } finally {
    // A caller that stops reading ends the request.
    await reader.cancel();
  }
}

/** The records of a stream: one JSON value in each line. */
async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator {
  for await (const line of readLines(body)) if (line !== '') yield JSON.parse(line);
}

function toData(lines: readonly string[]): unknown {
  const text = lines.join('\n');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Server-sent events with their id, their name and their data. Comments are left out. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator {
  let fields: Record<string, string> = {};
  let data: string[] = [];
  for await (const line of readLines(body)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name !== '') fields[name] = value;
    else if (line === '') {
      if (data.length > 0) yield { ...fields, data: toData(data) };
      [fields, data] = [{}, []];
    }
  }
}

/** Media type -> how its records are read one by one. */
export const STREAMS: Readonly<Record<string, (body: ReadableStream<Uint8Array>) => AsyncGenerator>> = {
  'application/x-ndjson': readRecords,
  'text/event-stream': readEvents,
};

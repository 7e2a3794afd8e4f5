// Substitute for a missing curl: the options that examples and documents use, with node's own client.
// Reports the status on standard error, as the tests configure curl to do.
import { request } from 'node:http';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    include: { type: 'boolean', short: 'i' },
    head: { type: 'boolean', short: 'I' },
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    request: { type: 'string', short: 'X' },
    data: { type: 'string', short: 'd', multiple: true },
    header: { type: 'string', short: 'H', multiple: true },
    form: { type: 'string', short: 'F' },
    user: { type: 'string', short: 'u' },
    output: { type: 'string', short: 'o' },
    'dump-header': { type: 'string', short: 'D' },
  },
});

const headers: Record<string, string> = {};
if (values.data !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
if (values.form !== undefined) headers['content-type'] = 'multipart/form-data; boundary=part';
if (values.user !== undefined)
  headers['authorization'] = `Basic ${Buffer.from(values.user).toString('base64')}`;
for (const header of values.header ?? []) {
  const colon = header.indexOf(':');
  headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim();
}
const usual = values.head === true ? 'HEAD' : (values.data ?? values.form) === undefined ? 'GET' : 'POST';

for (const address of positionals) {
  const outgoing = request(address, { method: values.request ?? usual, headers }, (response) => {
    process.stderr.write(`STATUS ${String(response.statusCode)}\n`);
    const lines = response.rawHeaders
      .map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      .join('');
    const shown = values.include === true || values.head === true || values['dump-header'] === '-';
    if (shown)
      process.stdout.write(
        `HTTP/1.1 ${String(response.statusCode)} ${response.statusMessage ?? ''}\r\n${lines}\r\n`,
      );
    if (values.output === undefined) response.pipe(process.stdout);
    else response.resume();
  });
  outgoing.end(
    values.form === undefined ? values.data?.join('&') : `--part\r\n\r\n${values.form}\r\n--part--\r\n`,
  );
}

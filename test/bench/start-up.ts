import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runCalmly } from './calm.ts';
import { toMedian } from './median.ts';

const path = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
const CORPUS = JSON.stringify({
  posts: [{ id: 1, categories: [], author: 1, slug: '', _links: {} }],
  index: {},
  notFound: {},
  badRequest: {},
  created: {},
});

function toPeerProgram(file: string, start: string): readonly string[] {
  return [
    '--input-type=module',
    '-e',
    `import { ${start} } from ${path(file)}; await ${start}(${CORPUS}, { etag: false }); console.log('listening on'); setTimeout(() => process.exit(), 100);`,
  ];
}

/** Programs that print a line when they listen. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'routebook: the whole site, memory store': [
    fileURLToPath(new URL('../../examples/server.js', import.meta.url)),
    '--port',
    '0',
    '--store',
    'memory',
  ],
  'fastify: two routes': toPeerProgram('./peers/fastify.js', 'startFastify'),
  'hono: two routes': toPeerProgram('./peers/hono.js', 'startHono'),
  'express: two routes': toPeerProgram('./peers/express.js', 'startExpress'),
  node: toPeerProgram('./peers/ready-buffer.js', 'startReadyBuffer'),
};

function startOnce(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let took = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (took > 0 || !chunk.toString().includes('listening on')) return;
      took = performance.now() - started;
      child.kill();
    });
    child.once('close', () => {
      if (took > 0) resolve(took);
      else reject(new Error(`${args.join(' ')}: did not start`));
    });
  });
}

/** Time from the start of the process until it listens. Program -> milliseconds. */
export async function measureStartUp(rounds: number): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number[]>(Object.keys(PROGRAMS).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(PROGRAMS))
      times.get(name)?.push(await runCalmly(name, () => startOnce(args)));
  }
  return new Map([...times].map(([name, all]) => [name, toMedian(all)]));
}

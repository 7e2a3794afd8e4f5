import { createRandom } from '../support/random.ts';
import { Connection } from './load/connection.ts';
import { toMessage } from './load/run-load.ts';
import type { Workload } from './workloads.ts';

const SAMPLES = 20;
const SEED = 7;
/** Members with the time of a change. */
const CLOCK = /"modified(?:_gmt)?":"[^"]*",/g;

/** A running peer. */
export interface Reached {
  readonly name: string;
  readonly port: number;
}

async function collectAnswers(
  { port }: Reached,
  workload: Workload,
  posts: number,
): Promise<readonly string[]> {
  const next = workload.createRequests({ posts, random: createRandom(SEED), etag: '' });
  const connection = new Connection(port);
  const answers: string[] = [];
  try {
    for (let count = workload.writes === true ? 1 : SAMPLES; count > 0; count -= 1) {
      const asked = next();
      const { status, body } = await connection.send(toMessage(asked), {
        wantsBody: true,
        isHead: asked.method === 'HEAD',
      });
      answers.push(
        `${asked.target}: ${status} ${workload.bodiesDiffer === true ? '' : body.replaceAll(CLOCK, '')}`,
      );
    }
  } finally {
    connection.close();
  }
  return answers;
}

/** Sends the same requests to every peer. @throws Error when a peer returns a different status or body than the first */
export async function compareAnswers(
  workload: Workload,
  peers: readonly Reached[],
  posts: number,
): Promise<void> {
  const comparable = peers.filter(({ name }) => name !== 'ready buffer' || workload.limitDiffers !== true);
  const [first, ...others] = comparable;
  if (first === undefined) return;
  const wanted = await collectAnswers(first, workload, posts);
  for (const other of others) {
    const found = await collectAnswers(other, workload, posts);
    const at = found.findIndex((answer, index) => answer !== wanted[index]);
    if (at !== -1)
      throw new Error(
        `${workload.name}: ${other.name} responds differently from ${first.name}\n  ${wanted[at] ?? ''}\n  ${found[at] ?? ''}`,
      );
  }
}

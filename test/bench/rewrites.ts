import { ADMIN_TOKEN } from './admin.ts';
import type { Asked, Surroundings } from './asked.ts';
import { BASE } from './peers/peer.ts';

const HOT = 100;
const HEADERS = { Authorization: `Bearer ${ADMIN_TOKEN}` };

interface Known {
  /** Number in the title of the last sent write. */
  sent: number;
  /** Number in the title of the last acknowledged write. */
  acknowledged: number;
  writing: boolean;
}

function readNumber(body: string): number {
  return Number(/"rendered":"Note (\d+)"/.exec(body)?.[1] ?? 0);
}

/**
 * Reads of a few posts with a write in every `every` requests (0: none). A read must show at least the last write that was
 * acknowledged before the read was sent. Anything older is a stale response.
 */
export function createRewrites({ posts, random }: Surroundings, every: number): () => Asked {
  const known = Array.from({ length: Math.min(HOT, posts) }, (): Known => ({
    sent: 0,
    acknowledged: 0,
    writing: false,
  }));
  let requests = 0;
  return () => {
    requests += 1;
    const at = random.below(known.length);
    const post = known[at] as Known;
    const target = `${BASE}/cms/v2/posts/${at + 1}`;
    if (every > 0 && requests % every === 0 && !post.writing) {
      const number = ++post.sent;
      post.writing = true;
      const check = (): null => {
        post.acknowledged = number;
        post.writing = false;
        return null;
      };
      return { method: 'POST', target, headers: HEADERS, body: { title: { raw: `Note ${number}` } }, check };
    }
    const { acknowledged } = post;
    const check = (body: string): string | null =>
      readNumber(body) < acknowledged
        ? `stale: shows ${readNumber(body)} after ${acknowledged} was acknowledged`
        : null;
    return { target, check };
  };
}

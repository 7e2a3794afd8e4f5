import { RestError } from '../../../../lib/core/errors.ts';
import type { MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import { TimeLimit } from '../../../../lib/dispatch/time-limit.ts';

/** Shares of the time limit of a call: what one shortcode may take, and all shortcodes of a response together. */
const SHARE = { each: 0.1, all: 0.5 } as const;

/** How long the shortcodes of one response may keep it waiting. */
export class ShortcodeTime {
  readonly #eachMs: number;
  #leftMs: number;
  /** Names of shortcodes that took too long. They are not started again, because a list may have them in each of its posts. */
  readonly #late = new Set<string>();

  constructor(handlerTimeoutMs: number) {
    this.#eachMs = handlerTimeoutMs * SHARE.each;
    this.#leftMs = handlerTimeoutMs * SHARE.all;
  }

  /** Runs a shortcode and waits for its promise. @throws Error if that takes too long, or whatever `run` throws */
  async hold<T>(name: string, run: () => MaybePromise<T>): Promise<T> {
    if (this.#late.has(name))
      throw new Error(`the shortcode [${name}] took too long in another place of the same response`);
    const began = performance.now();
    // Without any time left, shortcodes that need none are still rendered.
    const ms = Math.max(1, Math.min(this.#eachMs, this.#leftMs));
    try {
      return await new TimeLimit(ms, {}).hold(run);
    } catch (error) {
      if (!(error instanceof RestError && error.code === 'rest_handler_timeout')) throw error;
      this.#late.add(name);
      throw new Error(`the shortcode [${name}] did not answer within ${Math.round(ms)} ms`, { cause: error });
    } finally {
      this.#leftMs -= performance.now() - began;
    }
  }
}

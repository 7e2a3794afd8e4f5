import type { MaybePromise } from '../../lib/core/maybe-promise.ts';

/**
 * The option `context` of a server: returns what handlers get as `call.host`, for each request that the engine gets. It may throw a RestError.
 * It must be given if the engine names a type for it. `A`: the arguments.
 */
export type ContextOption<H, A extends readonly unknown[]> = unknown extends H
  ? { readonly context?: ((...args: A) => MaybePromise<H>) | undefined }
  : { readonly context: (...args: A) => MaybePromise<H> };

/** The last parameter of a function whose options may all be left out, unless the engine needs a context. */
export type LastOptions<H, O> = unknown extends H ? [options?: O] : [options: O];

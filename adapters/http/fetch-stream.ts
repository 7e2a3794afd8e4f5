import type { WireStream } from '../../lib/http/host.ts';

/** How a stream is read. */
interface ReadOptions {
  /** A stream of which nothing is read for so long is ended. Milliseconds. */
  readonly stallTimeoutMs: number;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Called once, when the stream has ended. */
  readonly onEnd: () => void;
}

/** A stream as the body of a Response. It is pulled only as it is read, and ends when the body is cancelled. */
export function toReadable(
  stream: WireStream,
  { stallTimeoutMs, signal, onEnd }: ReadOptions,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    void stream.return();
    onEnd();
  };
  const watch = (controller: ReadableStreamDefaultController): void => {
    const cut = (): void => {
      controller.error(new DOMException('The stream was not read in time.', 'TimeoutError'));
      end();
    };
    timer = setTimeout(cut, stallTimeoutMs).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        watch(controller);
        signal.addEventListener('abort', end, { once: true });
      },
      async pull(controller) {
        clearTimeout(timer);
        const part = await stream.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (part.done === true) {
          end();
          controller.close();
        } else {
          controller.enqueue(part.value);
          watch(controller);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

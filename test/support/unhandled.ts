/** Runs the function and counts unhandled rejections and exceptions meanwhile. */
export async function countUnhandled(run: () => Promise<void>): Promise<number> {
  let count = 0;
  const note = (): void => {
    count += 1;
  };
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  try {
    await run();
    // Node reports an unhandled rejection only after the current turn.
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  } finally {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
  }
  return count;
}

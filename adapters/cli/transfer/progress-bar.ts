import cliProgress from 'cli-progress';

/** Shows how far a source was read, on a terminal only. */
interface ProgressBar {
  /** `read`: bytes or records of the source; `stored`: records that are stored. */
  update(read: number, stored: number): void;
  stop(): void;
}

const SILENT: ProgressBar = { update: () => undefined, stop: () => undefined };
const SECOND = 1000;

/** `total`: what `read` will be at the end; 0 if it is not known. */
export function createProgressBar(total: number): ProgressBar {
  if (process.stderr.isTTY !== true || total === 0) return SILENT;
  const started = performance.now();
  const bar = new cliProgress.SingleBar(
    {
      format: '{bar} {percentage}% | {stored} records, {rate}/s | {eta_formatted} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0, { stored: 0, rate: 0 });
  return {
    update: (read, stored) =>
      bar.update(Math.min(read, total), {
        stored,
        rate: Math.round((stored * SECOND) / Math.max(performance.now() - started, 1)),
      }),
    stop: () => bar.stop(),
  };
}

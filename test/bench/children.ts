import { fork, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TaskName, Tasks } from './tasks.ts';

const SCRIPT = fileURLToPath(new URL('child.js', import.meta.url));

/** 0: core of the servers; 1: core of the load. */
export type Core = 0 | 1;

/** Whether processes can be pinned to a core. */
export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** Pins a running program with all its threads to a core, where the system supports it. */
export function pinProgram(pid: number, core: Core): void {
  if (CAN_PIN) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}

/** A separate process that runs tasks of `tasks.ts`, one at a time. */
export interface Child {
  run<N extends TaskName>(task: N, argument: Parameters<Tasks[N]>[0]): Promise<Awaited<ReturnType<Tasks[N]>>>;
  stop(): Promise<void>;
}

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** Starts a child in production mode, pinned to the core where the system supports it. `flags`: for node, in addition to those of all children. */
export function startChild(core: Core, flags: readonly string[] = []): Child {
  const all = ['--expose-gc', '--max-old-space-size=16000', ...flags];
  const [execPath, execArgv] = CAN_PIN
    ? (['taskset', ['-c', String(core), process.execPath, ...all]] as const)
    : ([process.execPath, all] as const);
  const child = fork(SCRIPT, {
    execPath,
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  return {
    run: (task, argument) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          child.off('message', take).off('exit', fail);
        };
        const fail = (code: number | null): void => {
          end();
          reject(new Error(`${task}: the process ended with ${String(code)}`));
        };
        const take = (reply: Reply): void => {
          end();
          // The child returns the result of its task. The table of tasks defines its type.
          if (reply.error === undefined) resolve(reply.value as Awaited<ReturnType<Tasks[typeof task]>>);
          else reject(new Error(`${task}: ${reply.error}`));
        };
        child.on('message', take).on('exit', fail);
        child.send({ task, argument });
      }),
    async stop() {
      child.disconnect();
      await gone;
    },
  };
}

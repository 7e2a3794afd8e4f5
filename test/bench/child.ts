// A process of the benchmark. It runs the tasks that its parent requests and ends with it.
import { isTaskName, TASKS } from './tasks.ts';

interface Order {
  readonly task: string;
  readonly argument: unknown;
}

async function answer({ task, argument }: Order): Promise<unknown> {
  if (!isTaskName(task)) throw new TypeError(`unknown task: ${task}`);
  return TASKS[task](argument as never);
}

process.on('message', (order: Order) => {
  answer(order).then(
    (value: unknown) => process.send?.({ value }),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
process.on('disconnect', () => process.exit());

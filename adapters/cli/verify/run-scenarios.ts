import { checkAnswer } from './check-answer.ts';
import { send, toDigest, toRequestTarget, type Target } from './client.ts';
import { getAt, MISSING } from './pointers.ts';
import { isRead, mutates } from './reads.ts';
import type { Difference, Scenario, Step, Vars } from './scenario.ts';

/** Result of one scenario. `differences` are those of the first step that differs; steps are numbered from 1. */
export interface Outcome {
  readonly id: string;
  readonly step: number;
  readonly differences: readonly Difference[];
}

/** Restores the original fixture. null: it cannot be restored, so nothing but reads is sent. */
type Reset = (() => Promise<void>) | null;

interface Site {
  readonly target: Target;
  readonly reset: Reset;
}

async function runStep(step: Step, { target, reset }: Site, vars: Vars): Promise<readonly Difference[]> {
  // A saved value may have become a part of the address.
  if (reset === null && !isRead(step, toRequestTarget(step, target, vars)))
    throw new Error('not sent, because it may write; cases that write need --reset');
  const digest = toDigest(await send(step, target, vars), target);
  for (const [name, pointer] of Object.entries(step.save ?? {})) {
    const value = getAt(digest.body, pointer);
    if (value !== MISSING) vars[name] = value;
  }
  return checkAnswer(step.expect, digest, vars);
}

async function runScenario({ id, steps }: Scenario, site: Site): Promise<Outcome> {
  const vars: Vars = {};
  for (const [index, step] of steps.entries()) {
    const differences = await runStep(step, site, vars).catch((error: unknown): readonly Difference[] => [
      {
        path: 'connection',
        expected: 'an answer',
        actual: error instanceof Error ? error.message || error.name : String(error),
      },
    ]);
    if (differences.length > 0) return { id, step: index + 1, differences };
  }
  return { id, step: 0, differences: [] };
}

/** Runs recorded cases one after the other, each on the original fixture. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  target: Target,
  reset: Reset,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let isDirty = true;
  for (const scenario of scenarios) {
    if (isDirty) await reset?.();
    isDirty = mutates(scenario);
    outcomes.push(await runScenario(scenario, { target, reset }));
  }
  return outcomes;
}

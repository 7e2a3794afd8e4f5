import { renameParam, type Names } from '../../../lib/core/names.ts';
import type { Scenario } from './scenario.ts';

/** The neutral names in which the cases are written. */
const NEUTRAL = {
  header: /\bx-cms(?=-)/gi,
  relation: /^cms:api$/,
  curie: /\bcms:(?=[a-z*{])/g,
  href: 'https://api.cms.example/{rel}',
} as const;

/** A namespace, in a path, a pointer (`~1` for a slash) or alone. */
const NAMESPACE = /(?<=^|~1|[^\w-])[a-z][a-z-]*(?=(?:\/|~1)v\d)/g;

const isLower = (text: string): boolean => text === text.toLowerCase();

function renameText(text: string, { headerPrefix, apiRelation, segments, curie }: Names): string {
  return text
    .replace(NEUTRAL.relation, apiRelation)
    .replaceAll(NEUTRAL.href, curie.href)
    .replaceAll(NEUTRAL.curie, `${curie.wire}:`)
    .replaceAll(NEUTRAL.header, (prefix) => (isLower(prefix) ? headerPrefix.toLowerCase() : headerPrefix))
    .replaceAll(NAMESPACE, (segment) =>
      Object.hasOwn(segments, segment) ? String(segments[segment]) : segment,
    );
}

function rename(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return renameText(value, names);
  if (Array.isArray(value)) return value.map((each) => rename(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      renameText(renameParam(names, key), names),
      rename(each, names),
    ]),
  );
}

/** The cases with the wire names of a server instead of the neutral ones. */
export function toWireCases(scenarios: readonly Scenario[], names: Names): readonly Scenario[] {
  return scenarios.map((scenario) => ({
    ...scenario,
    steps: rename(scenario.steps, names) as Scenario['steps'],
  }));
}

import type { Alternate } from './alternates.ts';
import type { Graph } from './graph.ts';
import type { OpenGraph } from './open-graph.ts';
import type { Robots } from './robots.ts';
import type { TwitterCard } from './twitter.ts';

/** All possible members of a head. The response omits empty ones. */
export interface HeadMembers extends OpenGraph, TwitterCard {
  readonly title: string;
  readonly description: string;
  readonly robots: Robots;
  readonly canonical: string;
  readonly rel_prev: string;
  readonly rel_next: string;
  readonly alternates: readonly Alternate[];
  readonly author: string;
  readonly verification: Readonly<Record<string, string>>;
  readonly schema: Graph;
}

/** The members that a page has. */
export type HeadJson = Partial<HeadMembers>;

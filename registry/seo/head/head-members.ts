import type { Alternate } from './alternates.ts';
import type { Graph } from './graph.ts';
import type { OpenGraph } from './open-graph.ts';
import type { Robots } from './robots.ts';
import type { TwitterCard } from './twitter.ts';

/** All members that a head can have; the answer leaves out the empty ones. */
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

/** Those that a page has. */
export type HeadJson = Partial<HeadMembers>;

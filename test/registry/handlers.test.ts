import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Handlers } from '../../lib/route/args.ts';
import type { postRoutes } from '../../registry/core/post-views/routes.ts';
import type { mlStDescriptor } from '../../registry/plugins/ml/routes/routes.ts';
import type { mlTmDescriptor } from '../../registry/plugins/ml/routes/tm-routes.ts';
import type { seoDescriptor } from '../../registry/plugins/seo/routes/routes.ts';

/** Exactly the same type, so that the types match what the validator guarantees. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Cms = Handlers<typeof postRoutes>;
type MlSt = Handlers<typeof mlStDescriptor>;
type MlTm = Handlers<typeof mlTmDescriptor>;
type Seo = Handlers<typeof seoDescriptor>;
type ArgsOfHandler<H> = H extends (args: infer A, call: never) => unknown ? A : never;

// Does not compile if a type differs.
const ROWS = {
  'a default makes a member certain': true satisfies Same<ArgsOfHandler<Cms['list']>['page'], number>,
  'an enum becomes its words': true satisfies Same<ArgsOfHandler<Cms['list']>['order'], 'asc' | 'desc'>,
  'a list without default may be missing': true satisfies Same<
    ArgsOfHandler<Cms['list']>['slug'],
    readonly string[] | undefined
  >,
  'null is a value where the type says so': true satisfies Same<
    ArgsOfHandler<Cms['create']>['date'],
    string | null | undefined
  >,
  'a declared path group is certain': true satisfies Same<ArgsOfHandler<Cms['read']>['id'], number>,
  'a path group of the hidden schema is a number, too': true satisfies Same<
    ArgsOfHandler<Cms['autosaves.list']>['id'],
    number
  >,
  'a path group of a plugin route as well': true satisfies Same<
    ArgsOfHandler<MlTm['ml.tm.xliff.fetch']>['jobId'],
    number
  >,
  'a path group without schema is a text': true satisfies Same<
    ArgsOfHandler<Seo['seo.import']>['plugin'],
    string
  >,
  'an untyped parameter is unknown': true satisfies Same<
    ArgsOfHandler<MlSt['ml.st.settings']>['data'],
    unknown
  >,
  'the hidden schema gives an untyped parameter its type': true satisfies Same<
    ArgsOfHandler<MlTm['ml.tm.jobs.assign']>['jobId'],
    number
  >,
} as const;

const handlers = suite('Handlers of the registry');

for (const [title, same] of Object.entries(ROWS)) handlers(title, () => assert.is(same, true));

handlers.run();

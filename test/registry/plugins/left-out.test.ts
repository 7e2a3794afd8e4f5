import { leftOutSuite } from './left-out-run.ts';

leftOutSuite('seo', ({ area }) => ['index', 'namespace', 'oembed', 'routing'].includes(area));

import { seedPlugins } from '../../../registry/index.ts';
import { leftOutSuite } from './left-out-run.ts';

for (const { descriptor } of seedPlugins) leftOutSuite(descriptor.name);

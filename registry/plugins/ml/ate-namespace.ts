import { defineNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import type { Ports } from '../../plugin.ts';
import { mlAteDescriptor } from './ate-routes.ts';
import { passOn } from './engine/proxy.ts';

/** `ml/ate/v1`: passes requests of browser programs on to the connected translation service. */
export function createAteNamespace({ upstream }: Ports): Namespace {
  return defineNamespace(mlAteDescriptor, {
    'ml.ate.proxy': (args, call) => passOn(upstream, args, call),
  });
}

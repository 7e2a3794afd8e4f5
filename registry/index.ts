// The public entry of the registry: what a host needs to serve a site, to fill it, and to add to it.
export { createSite, type Site } from './site.ts';
export type { SiteOptions } from './site/site-options.ts';
export { clearSite, isEmptySite, loadFixture, type Fixture } from './site/fixture.ts';
export { hashPassword, isPasswordOf } from './site/password-hash.ts';
export { toIdentity, type Authenticate, type Bearer } from './site/authenticate.ts';
export { CAPABILITIES, capabilitiesOf, ROLES, type Role } from './site/roles.ts';
export { NEUTRAL_NAMES, WORDPRESS_NAMES } from './names.ts';
export { catalogues } from './catalogue/catalogues.ts';
export { createCommonArgs } from './common-args.ts';
export { collections, createRegistry, registryDescriptors } from './registry.ts';
export type { Background } from './background.ts';
export type {
  Files, Imports, LogEvent, Media, Outbound, OutboundAnswer, OutboundRequest, Ports, SiteConfig, Upstream, UpstreamAnswer, UpstreamRequest,
} from './ports.ts';

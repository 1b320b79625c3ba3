/** Files that a part of the soak run of their own names as well. */
const inOtherParts = [
  ...[
    'base-histories',
    'chaos',
    'code-host-kill',
    'code-host-publish-faults',
    'cross-site-writes',
    'full-disk',
    'obedient-attacker',
  ].map((name) => `apps/server/test/soak/${name}.test.ts`),
  'apps/server/test/soak/dead-queue.test.ts',
  'packages/worker/test/soak/queue-outages.test.ts',
  'packages/workspace/test/soak/prepare-after-kill.test.ts',
  'sim/test/soak/same-end.test.ts',
];

/** Files that only the part `left-out` of the soak run names. */
export const leftOut: readonly string[] = [
  ...[
    'backup-round-trip',
    'code-host-killed-build',
    'code-host-killed-sync',
    'code-host-road-shared',
    'code-host-secrets',
    'code-host-takeover',
    'hostile-output',
    'nginx-proxy',
    'real-models',
    'tracing',
  ].map((name) => `apps/server/test/soak/${name}.test.ts`),
  ...[
    'chroma-faults',
    'code-index-faults',
    'shell-faults',
    'syntax-faults',
    'pg-index-faults',
    'semantic-index-faults',
  ].map((name) => `packages/code-search/test/soak/${name}.test.ts`),
];

/**
 * Test files that `npm test` leaves to `npm run soak`: each tries faults, kills or attacks one after the other, in parts
 * whose usual way other tests try. `npm test -- FILE` runs them too.
 */
export const leftToSoak: readonly string[] = [...inOtherParts, ...leftOut];

/** Files that a part of the soak run of their own names as well. */
const inOtherParts = [
  ...[
    'base-histories',
    'code-host-kill',
    'code-host-publish-faults',
    'cross-site-writes',
    'full-disk',
    'obedient-attacker',
  ].map((name) => `apps/server/test/${name}.test.ts`),
  'apps/server/test/dead-queue.test.ts',
  'packages/worker/test/queue-outages.test.ts',
  'packages/workspace/src/worktree/prepare-after-kill.test.ts',
  'sim/test/same-end.test.ts',
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
  ].map((name) => `apps/server/test/${name}.test.ts`),
  ...[
    'chroma/chroma-faults',
    'lexical/code-index-faults',
    'lexical/syntax/shell-faults',
    'lexical/syntax/syntax-faults',
    'lexical-postgres/pg-index-faults',
    'semantic/semantic-index-faults',
  ].map((name) => `packages/code-search/src/${name}.test.ts`),
];

/**
 * Test files that `npm test` leaves to `npm run soak`: each tries faults, kills or attacks one after the other, in parts
 * whose usual way other tests try. `npm test -- FILE` runs them too.
 */
export const leftToSoak: readonly string[] = [...inOtherParts, ...leftOut];

// What is too long for `npm test`, which tries a sample of each: `npm run soak` runs all parts one after the other,
// `npm run soak -- PART [OPTIONS]` one of them. Options go to the programs of the part.
import { spawnSync } from 'node:child_process';

interface Part {
  readonly what: string;
  /** Each is a program with its arguments. */
  readonly programs?: readonly string[][];
  /** Test files, which try every case when `SLUICE_SOAK` is set. */
  readonly tests?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const serverTests = 'apps/server/test';
const parts: Readonly<Record<string, Part>> = {
  'hostile-account': {
    what: 'one account attacks a server for ten minutes while an ordinary user works (needs root)',
    programs: [[`${serverTests}/hostile-account.ts`]],
  },
  'hostile-requests': {
    what: 'ten thousand random requests over REST, and two thousand each over tRPC and over Postgres',
    tests: ['packages/api/test/fuzz/'],
  },
  tokens: {
    what: 'every procedure by every caller and token on both engines, and the times of 2,000 pairs of refused tokens',
    tests: ['packages/api/test/deep/token-matrix.test.ts', 'packages/api/test/token-timing.test.ts'],
  },
  'access-races': {
    what: 'five hundred accesses that are lost while requests and streams at two processes use them',
    tests: [`${serverTests}/deep/access-races.test.ts`],
  },
  'login-timing': {
    what: 'the times of 2,000 pairs of failed logins',
    tests: ['packages/api/test/login-timing.test.ts'],
    environment: { LOGIN_TIMING_COST: 'usual' },
  },
  'statement-faults': {
    what: 'every SQL statement of a pipeline fails once, on both engines',
    tests: ['packages/worker/test/deep/stepped-faults.test.ts'],
  },
  freezes: {
    what: 'a worker stands still at every call of every port while another takes over or a person acts',
    tests: ['packages/worker/test/deep/freeze-explorer.test.ts'],
  },
  'hostile-repos': {
    what: 'commands of a repository that attack the host, and a model that obeys its attackers',
    tests: ['deep/hostile-repos', 'soak/obedient-attacker'].map((file) => `${serverTests}/${file}.test.ts`),
  },
  pictures: {
    what: 'pictures that are made to fill the memory or the time of what decodes them, with its figures',
    tests: ['packages/sandbox/test/soak/picture-bombs.test.ts'],
  },
  'publish-faults': {
    what: 'every failure of the code host at every request of publishing, and kill -9 between them',
    tests: [`${serverTests}/soak/code-host-publish-faults.test.ts`, `${serverTests}/soak/code-host-kill.test.ts`],
  },
  deliveries: {
    what: 'ten thousand webhook deliveries, repeated, reordered and forged',
    tests: [`${serverTests}/deep/code-host-following.test.ts`],
  },
  'build-histories': {
    what: 'two hundred histories of builds at the code host, with reruns, superseded heads and logs of 100 MB, as they are read and as they are answered',
    tests: [
      ...['build-histories', 'failed-jobs'].map((file) => `packages/code-host/src/github/${file}.test.ts`),
      'packages/worker/test/deep/build-histories.test.ts',
    ],
  },
  notifications: {
    what: 'ten thousand notifications to receivers that die, hang, fail, are gone or redirect, on both engines, while a worker dies',
    tests: ['packages/worker/test/deliveries.test.ts'],
  },
  reviews: {
    what: 'a hundred scripted reviews of a pull request, each remark of which is answered once although the process dies at every step',
    tests: ['packages/worker/test/deep/scripted-reviews.test.ts'],
  },
  'base-histories': {
    what: 'three hundred histories of a base branch that moves under a pull request to which people push',
    tests: [`${serverTests}/soak/base-histories.test.ts`],
  },
  variants: {
    what: 'what `npm test` tries for one of several: commands, moments of a rename, plans of retention',
    tests: [
      ...['soak/chaos', 'deep/code-host-renamed', 'deep/retention'].map((file) => `${serverTests}/${file}.test.ts`),
      ...['conformance', 'deep/conformance', 'deep/run-command'].map((file) => `apps/cli/test/${file}.test.ts`),
    ],
  },
  'left-out': {
    what: 'further test files that `npm test` leaves out: faults, kills and attacks, one after the other',
    tests: [
      ...[
        ...['backup-round-trip', 'code-host-killed-build', 'code-host-killed-sync', 'code-host-road-shared'],
        ...['code-host-secrets', 'code-host-takeover', 'hostile-output', 'nginx-proxy', 'real-models', 'tracing'],
      ].map((file) => `${serverTests}/soak/${file}.test.ts`),
      ...[
        ...['chroma-faults', 'code-index-faults', 'pg-index-faults'],
        ...['semantic-index-faults', 'shell-faults', 'syntax-faults'],
      ].map((file) => `packages/code-search/test/soak/${file}.test.ts`),
    ],
  },
  'cross-site-writes': {
    what: 'every write, sent in every way by a page of another origin',
    tests: [`${serverTests}/soak/cross-site-writes.test.ts`],
  },
  'journal-kills': {
    what: 'kill -9 on both sides of every journal entry, and with lost working trees; a death after every write',
    programs: [[`${serverTests}/kill-journal.ts`], [`${serverTests}/kill-journal.ts`, '--loss']],
    tests: ['packages/worker/test/deep/other-host.test.ts'],
  },
  'process-kills': {
    what: 'kill -9 a hundred times, in every stage',
    programs: [[`${serverTests}/kill-nine.ts`, '100']],
  },
  'queue-outages': {
    what: 'jobs that end while Postgres is stopped, restarted or frozen, or refuses connections: each is taken again within 15 s, none twice; fifty outages in a row; a queue that stays dead',
    tests: ['packages/worker/test/soak/queue-outages.test.ts', `${serverTests}/soak/dead-queue.test.ts`],
  },
  'prepare-kills': {
    what: 'kill -9 twice at each moment of preparing a working tree',
    tests: ['packages/workspace/test/soak/prepare-after-kill.test.ts'],
  },
  'backup-kills': {
    what: 'kill -9 at every change of the disk during backup and restore',
    tests: [`${serverTests}/deep/backup.test.ts`],
  },
  migrations: {
    what: 'eight processes that migrate at once, and twenty kills; a move to Postgres fails at every step',
    tests: [
      ...['migrate-pg', 'copy-to-postgres'].map((file) => `packages/db/test/deep/${file}.test.ts`),
      `${serverTests}/deep/move-up.test.ts`,
    ],
  },
  'audit-tampering': {
    what: 'a thousand random tamperings of the audit log on each engine, each found, and none in what was left alone',
    tests: ['packages/db/test/audit-tampering.test.ts', 'packages/db/test/audit-sealing.test.ts'],
  },
  outcomes: {
    what: 'a thousand replayed histories of pull requests against an independent count, on both engines',
    tests: ['packages/db/test/outcome-histories.test.ts'],
  },
  estimates: {
    what: 'five hundred simulated runs with heavy tails and a drift, three times on each engine: 80 % ranges hold in 75 to 85 %',
    tests: ['packages/db/test/estimates.test.ts'],
  },
  budgets: {
    what: 'sixteen workers against one budget: in one process, in sixteen, and killed while it holds their issues',
    tests: [`${serverTests}/deep/budget-of-processes.test.ts`, 'packages/worker/test/monthly-budgets.test.ts'],
  },
  'full-disk': {
    what: 'twenty restarts over a full disk, and what a command reserves on XFS (needs root and xfsprogs)',
    tests: [`${serverTests}/soak/full-disk.test.ts`, 'packages/sandbox/src/bwrap/seccomp-filter.test.ts'],
  },
  simulation: {
    what: 'the whole service in one process from 10,000 seeds, twice each; planted bugs; 100 seeds on Postgres too',
    programs: [
      ['sim/src/main.ts', '--seeds', '10000'],
      ['sim/src/main.ts', '--mutants'],
    ],
    tests: ['sim/test/soak/same-end.test.ts'],
  },
  'first-hours': {
    what: 'what a new user does by the documentation alone, each page in an empty home: the demo, a JavaScript and a Python repository, a Python program, an operator with three servers',
    tests: ['scripts/docs/deep/commands.test.ts'],
  },
  'missing-dependencies': {
    what: 'a run whose test runner is missing continues with an install from a registry; an install that fails',
    tests: ['apps/cli/test/deep/missing-dependencies.test.ts'],
  },
  recordings: {
    what: 'what a run prints at a terminal of 60, 80 and 120 columns, with colours and without, against apps/cli/test/recordings',
    tests: ['apps/cli/test/deep/recordings.test.ts'],
  },
  'generated-clients': {
    what: 'three generators make clients of the OpenAPI document, which take an issue to its branch; all rules of Spectral',
    tests: ['apps/cli/test/deep/generated-clients.test.ts', 'packages/api/test/openapi-rules.test.ts'],
  },
  'agents-bench': {
    what: 'the bench of the agents on its own tasks: controls, a scripted model in both agents; the economy of three fixes',
    tests: ['bench/agents/test/'],
  },
  'agents-replay': {
    what: 'an agent killed at each of thirty turns sends the same bytes and makes the same patch, or is stopped after the same turns; a hundred long runs are not loops',
    tests: ['loop/replay', 'deep/resumed-loops', 'loop/honest-runs'].map(
      (file) => `packages/agents/test/${file}.test.ts`,
    ),
  },
  'vendor-issues': {
    what: 'whole issues at eight strict model servers, the process killed while the coder thinks: the same bytes are sent again',
    tests: [`${serverTests}/soak/vendor-issues.test.ts`],
  },
  console: {
    what: 'the heavier tests of the console in a browser',
    programs: [['apps/web/node_modules/@playwright/test/cli.js', 'test', '--config', 'apps/web']],
  },
  chaos: {
    what: 'two hundred issues while processes, the database and Redis fail',
    programs: [[`${serverTests}/chaos.ts`]],
  },
};

const [name, ...options] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(parts, name)) {
  console.error(`There is no part "${name}". Choose one of:`);
  for (const [part, { what }] of Object.entries(parts)) console.error(`  ${part.padEnd(22)}${what}`);
  process.exit(2);
}

function passes({ programs = [], tests = [], environment = {} }: Part): boolean {
  const vitest = tests.length === 0 ? [] : [['node_modules/vitest/vitest.mjs', 'run', ...tests]];
  const failed = [...programs, ...vitest].filter((program) => {
    const env = { ...process.env, SLUICE_SOAK: '1', ...environment };
    return spawnSync(process.execPath, [...program, ...options], { stdio: 'inherit', env }).status !== 0;
  });
  return failed.length === 0;
}

const chosen = name === undefined ? Object.keys(parts) : [name];
const failed = chosen.filter((part) => {
  console.log(`\n== ${part}: ${parts[part]?.what}`);
  const isPassed = passes(parts[part] ?? { what: part });
  console.log(`== ${part}: ${isPassed ? 'passed' : 'FAILED'}`);
  return !isPassed;
});
console.log(
  `\n${chosen.length - failed.length} parts passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`,
);
if (failed.length > 0) process.exitCode = 1;

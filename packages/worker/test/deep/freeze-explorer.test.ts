import { type Authorized, callerOf } from '@sluice/core/access';
import type { TokenCipher } from '@sluice/core/account';
import type { AgentContext, AgentInput } from '@sluice/core/agent';
import type { CodeIndex } from '@sluice/core/code-search';
import { decideGate, type Issue } from '@sluice/core/issue';
import { byUser, isSoakRun, until } from '@sluice/testing';
import { expect, it } from 'vitest';
import type { FakeCommand } from '../fake-sandbox.ts';
import { type FreezableProcess, type FreezePoint, freezableProcess } from '../freezable-process.ts';
import { importedIssue } from '../imported-issue.ts';
import { publishingHost } from '../publishing-host.ts';
import { readByTool, writeByTool } from '../scripted-agents.ts';
import { fakeIndex, openWorld, type World } from '../world.ts';

// Usual way: packages/worker/test/hand-over.test.ts

// One worker stands still at each call of each port, meanwhile another takes over or a person acts, and the first one wakes.
// It must have no effect outside any more, and the result must be as if it had never been.

const LEASE_MS = 15_000;

/** What happens while the first worker stands still, and when it wakes. */
const meanwhiles = {
  'another worker finishes, and it wakes at the end': { heir: true, wakeAt: 'end' },
  'another worker takes over, and it wakes during implement': { heir: true, wakeAt: 'implement' },
  'another worker takes over, and it wakes during publish': { heir: true, wakeAt: 'publish' },
  'another worker finishes, and a person merges and deletes the branch': {
    heir: true,
    wakeAt: 'end',
    person: 'merges',
  },
  'another worker finishes, and a person closes the pull request': { heir: true, wakeAt: 'end', person: 'closes' },
  'a person cancels': { heir: false, wakeAt: 'end', person: 'cancels' },
} as const satisfies Record<string, Meanwhile>;

interface Meanwhile {
  readonly heir: boolean;
  readonly wakeAt: 'implement' | 'publish' | 'end';
  readonly person?: 'merges' | 'closes' | 'cancels';
}

/** What the coder writes depends on what it reads, so that two mixed trees show. */
const FIXED = { 'src/note.js': 'note of broken', 'src/sum.js': 'fixed by note of broken' };

async function code(_input: unknown, context: AgentContext) {
  const before = await readByTool(context, 'src/sum.js');
  await writeByTool(context, { path: 'src/note.js', text: `note of ${before}` });
  const note = await readByTool(context, 'src/note.js');
  await writeByTool(context, { path: 'src/sum.js', text: `fixed by ${note}` });
  return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] } as const;
}

async function plan({ issue }: AgentInput['planner'], context: AgentContext) {
  await context.search(issue.title, 5);
  return {
    summary: 'Fix sum.',
    steps: [{ title: 'Fix', detail: 'Reduce.', files: Object.keys(FIXED) }],
    acceptance_criteria: [],
    risks: [],
    test_strategy: 'Run the tests.',
  };
}

/** An index that asks a model, as one with embeddings does. */
const embedding: CodeIndex = {
  ...fakeIndex(),
  async update(workspace, signal, beforeCall) {
    await beforeCall?.();
    return await fakeIndex().update(workspace, signal);
  },
  async search(_repoId, { beforeCall }) {
    await beforeCall?.();
    return [];
  },
};

const test: FakeCommand = ({ files }) =>
  files.get('src/sum.js')?.startsWith('fixed')
    ? { exitCode: 0, output: 'ok 1 - adds\n' }
    : { exitCode: 1, output: 'not ok 1 - adds\n' };

type Outside = ReturnType<typeof publishingHost>;

/** A worker whose every call goes through `life`; null: an ordinary one. It hears of nothing until it asks. */
async function startWorker(world: World, outside: Outside, life: FreezableProcess | null) {
  const script = { coder: code, planner: plan };
  const commands = { 'npm test': test };
  const common = { codehost: outside.host, codehostTokens: outside.tokens, codeIndex: embedding };
  if (life === null) return world.startWorker({ script, commands, deps: common, options: { leaseMs: LEASE_MS } });
  const { agents, sandbox } = world.makeWorker({ script, commands });
  return world.startWorker({
    options: { leaseMs: LEASE_MS },
    deps: {
      ...common,
      issues: life.wrap('issues', world.issues),
      runs: life.wrap('runs', world.runs),
      repos: life.wrap('repos', world.repos),
      workspaces: life.wrap('workspaces', world.host.workspaces),
      sandbox: life.wrap('sandbox', sandbox),
      codehost: life.host(outside.host),
      codehostTokens: life.wrap('tokens', outside.tokens),
      codehostIndex: life.wrap('index', world.codehostIndex),
      codehostInbox: life.wrap('inbox', world.codehostInbox),
      outcomes: life.wrap('outcomes', world.outcomes),
      maintenance: life.wrap('maintenance', world.maintenance),
      bases: life.wrap('bases', world.host.bases),
      codeIndex: life.codeIndex(embedding),
      agents: life.agents(agents),
      timers: life.timers,
      signals: { ...world.signals, subscribe: () => () => undefined },
    },
  });
}

/** Approves as a person does, whose request is served by a process of its own. */
async function approve(world: World, outside: Outside, issue: Issue): Promise<void> {
  const cipher: TokenCipher = { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => 'token' };
  const there = { codehost: { host: outside.host }, codehostTokens: outside.tokens };
  const asked = { clock: { now: () => new Date() }, caller: callerOf(issue.userId) };
  await decideGate(
    { ...world, bases: world.host.bases, cipher, ...asked, ...there },
    issue as Authorized<Issue, 'decide'>,
    {
      decision: { action: 'approve' },
      by: byUser(issue.userId),
      signal: new AbortController().signal,
    },
  );
}

const hasEnded = ({ finishedAt }: Issue) => finishedAt !== null;

/** Runs one pipeline with one freeze. @returns what is wrong, and the calls of the first worker */
async function explore(point: FreezePoint | null, meanwhile: Meanwhile) {
  await using world = await openWorld();
  const outside = publishingHost();
  const life = freezableProcess(point);
  const first = await startWorker(world, outside, life);
  const { id } = await importedIssue(world);
  let isApproved = false;
  let isOver = false; // the first worker has lost the issue
  let isAwake = false;

  async function actWhileFrozen(issue: Issue): Promise<void> {
    isOver = true;
    first.unplug();
    if (meanwhile.person === 'cancels' && !hasEnded(issue)) await world.cancel(id);
    if (meanwhile.heir) await world.runs.expireLeases();
    life.loseLease();
    if (meanwhile.heir) await startWorker(world, outside, null);
  }

  function wake(): void {
    isAwake = true;
    life.wake(meanwhile.heir ? 2 * LEASE_MS : 2_000);
  }

  await until(`the issue ended, ${JSON.stringify(point)} ${life.calls.at(-1)}`, async () => {
    const issue = await world.get(id);
    if (life.isFrozen && !isOver) await actWhileFrozen(issue);
    if (issue.gate !== null && !isApproved && issue.queuedAt !== null) {
      isApproved = await approve(world, outside, issue).then(
        () => true,
        () => false, // between the two writes that open the review
      );
    }
    if (isOver && !isAwake && meanwhile.wakeAt !== 'end' && issue.stage === meanwhile.wakeAt) wake();
    return hasEnded(await world.get(id)) && (isOver || (life.isIdle && !life.isFrozen));
  });
  if (meanwhile.person === 'merges') {
    for (const change of outside.changes) Object.assign(change, { state: 'merged' });
    world.host.remote.clear();
  }
  if (meanwhile.person === 'closes') for (const change of outside.changes) Object.assign(change, { state: 'closed' });
  const before = snapshot(world, outside);
  if (isOver && !isAwake) wake();
  await until('the first worker has let go', () => life.isIdle);
  const wrong = [...life.lateEffects];
  if (isOver && snapshot(world, outside) !== before) wrong.push(`${before} became ${snapshot(world, outside)}`);
  wrong.push(...(await faults(world, outside, { issue: await world.get(id), meanwhile })));
  return { calls: life.calls, wrong };
}

function snapshot(world: World, { changes, comments }: Outside): string {
  const remote = [...world.host.remote].map(([branch, { head }]) => `${branch} ${head}`);
  return JSON.stringify({
    remote,
    changes: changes.map(({ number, state }) => `#${number} ${state}`),
    comments: comments.length,
  });
}

/** The faults of the result, by any process. */
async function faults(
  world: World,
  { changes, comments }: Outside,
  { issue, meanwhile }: { issue: Issue; meanwhile: Meanwhile },
): Promise<string[]> {
  const wrong: string[] = [];
  const events = await world.events(issue.id);
  if (events.some(({ seq }, index) => seq !== index + 1)) wrong.push('there are gaps between the events');
  if (issue.status === 'cancelled') {
    if (changes.length > 1 || comments.length > 1) wrong.push('published more than once');
    return wrong;
  }
  if (issue.status !== 'completed') wrong.push(`ended ${issue.status}: ${JSON.stringify(issue.error)}`);
  if (changes.length !== 1) wrong.push(`${changes.length} pull requests`);
  if (comments.length !== 1) wrong.push(`${comments.length} comments`);
  if (issue.result?.tests?.base_exit_code !== 1) wrong.push('the base was tested with the fix');
  if (meanwhile.person === 'merges') return wrong;
  const [branch, ...others] = world.host.remote.values();
  const files = Object.fromEntries([...(branch?.files ?? [])].sort());
  if (others.length > 0) wrong.push('more than one branch');
  if (JSON.stringify(files) !== JSON.stringify(FIXED)) wrong.push(`published ${JSON.stringify(files)}`);
  return wrong;
}

/** The soak run tries every schedule, `npm test` one in so many, and more around the calls with effects outside. */
const STRIDE = isSoakRun ? 1 : 40;
const AT_ONCE = 4;

it('has no effect outside, and spoils no result, wherever a worker stands still while another takes over or a person acts', async () => {
  const { calls, wrong } = await explore(null, { heir: false, wakeAt: 'end' });
  expect(wrong).toEqual([]);
  const points = calls.flatMap((_, index): FreezePoint[] =>
    (['before', 'after'] as const).map((when) => ({ at: index + 1, when })),
  );
  const all = Object.entries(meanwhiles).flatMap(([what, meanwhile]) =>
    points.map((point) => ({ what, meanwhile, point, call: calls[point.at - 1] ?? '' })),
  );
  const isOutbound = (call: string) => /^(tree\.push|host\.|code\.)/.test(call);
  const chosen = all.filter(({ call }, index) => index % STRIDE === 0 || (isOutbound(call) && index % 4 === 0));
  const found: string[] = [];
  const left = chosen.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { what, meanwhile, point, call } of left) {
        const { wrong } = await explore(point, meanwhile);
        if (wrong.length > 0) found.push(`${point.when} call ${point.at} (${call}), ${what}: ${wrong.join('; ')}`);
      }
    }),
  );
  if (isSoakRun) console.log(`${all.length} schedules, ${found.length} of them wrong`);
  expect(found).toEqual([]);
});

import type { CallsOf } from './calls-of.ts';

const key = { stage: 'plan', round: 1 } as const;
const message = { type: 'user.message', data: { text: 'Look at sum, too.' } } as const;
const usage = { input_tokens: 1, output_tokens: 1, cost_usd: 1 };
const ended = { ...key, attempt: 1, outcome: 'failed', usage, detail: 'The provider is overloaded.' } as const;
const checkpoint = { commit: 'c', object: 'o', patch: new Uint8Array(1_000) };
const diff = {
  base_commit: 'b',
  head_commit: null,
  files: [{ path: 'a', additions: 1, deletions: 0 }],
  diff: '+one\n',
};
const largeDiff = { ...diff, diff: '+one line of a usual length, as a coder writes it\n'.repeat(80_000) };
const failure = {
  type: 'stage.failed',
  data: { stage: 'plan', agent: 'planner', attempt: 1, duration_ms: 1, detail: 'x', will_retry: true },
} as const;

const worker = { id: 'worker-1', hostName: 'host', pid: 1, role: 'all', version: '1.0.0', concurrency: 1 } as const;
const sandbox = { kind: 'bwrap', usable: true, problem: null, gaps: ['no limit on memory'] };

export const runCalls: CallsOf<'runs' | 'workers'> = {
  workers: {
    put: async ({ stores }) => {
      return () => stores.workers.put({ ...worker, sandbox });
    },
    remove: async ({ stores }) => {
      return () => stores.workers.remove(worker.id);
    },
    clear: async ({ stores }) => {
      return () => stores.workers.clear();
    },
    list: async ({ stores }) => {
      await stores.workers.put({ ...worker, sandbox: null });
      return () => stores.workers.list();
    },
  },
  runs: {
    claim: {
      'without an attempt': async ({ stores, created }) => {
        const { id } = await created({ queue: true });
        return () => stores.runs.claim(id, { owner: 'worker-1', ttlMs: 60_000 });
      },
      'with its first attempt': async ({ stores, created }) => {
        const { id } = await created({ queue: true });
        const toBegin = () => ({ ...key, agent: 'planner' });
        return () => stores.runs.claim(id, { owner: 'worker-1', ttlMs: 60_000, toBegin });
      },
    },
    renew: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      return () => stores.runs.renew(lease, 60_000);
    },
    release: {
      'at once': async ({ stores, claimed }) => {
        const { lease } = await claimed();
        return () => stores.runs.release(lease);
      },
      'for later': async ({ stores, claimed }) => {
        const { lease } = await claimed();
        return () => stores.runs.release(lease, 1_000);
      },
    },
    claimable: async ({ stores, created }) => {
      await created({ queue: true });
      return () => stores.runs.claimable(100);
    },
    nextDueInMs: async ({ stores }) => {
      return () => stores.runs.nextDueInMs();
    },
    expireLeases: async ({ stores, claimed }) => {
      await claimed();
      return () => stores.runs.expireLeases();
    },
    leased: async ({ stores, claimed, endedId }) => {
      const { issue } = await claimed();
      return () => stores.runs.leased([issue.id, endedId]);
    },
    needingWorkspace: async ({ stores, endedId }) => {
      return () => stores.runs.needingWorkspace([endedId], new Date());
    },
    expiredGates: async ({ stores, clock }) => {
      return () => stores.runs.expiredGates(clock.now());
    },
    gatesHoldingSlots: async ({ stores, clock }) => {
      return () => stores.runs.gatesHoldingSlots(clock.now());
    },
    freeGateSlots: async ({ stores }) => {
      return () => stores.runs.freeGateSlots();
    },
    beginAttempt: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      return () => stores.runs.beginAttempt(lease, { ...key, agent: 'planner' });
    },
    failAttempt: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      await stores.runs.beginAttempt(lease, { ...key, agent: 'planner' });
      return () => stores.runs.failAttempt(lease, ended, failure);
    },
    attempts: async ({ stores, endedId }) => {
      return () => stores.runs.attempts(endedId);
    },
    record: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      return () => stores.runs.record(lease, [message]);
    },
    journal: async ({ stores, endedId }) => {
      return () => stores.runs.journal(endedId, key);
    },
    appendJournal: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      return () =>
        stores.runs.appendJournal(lease, key, {
          entries: [
            { kind: 'begin', callId: '1' },
            { kind: 'usage', usage, model: 'acme/m' },
            { kind: 'note', seq: 1, message: {} },
          ],
          events: [message],
          checkpoint,
        });
    },
    notes: async ({ stores, endedId }) => {
      return () => stores.runs.notes(endedId);
    },
    said: async ({ stores, endedId }) => {
      return () => stores.runs.said(endedId);
    },
    saveCheckpoint: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      return () => stores.runs.saveCheckpoint(lease, 'implementation', checkpoint);
    },
    saveIndex: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      const index = { commit: 'c', files: 1, chunks: 1, updated_at: new Date().toISOString() };
      return () => stores.runs.saveIndex(lease, index);
    },
    checkpoint: async ({ stores, endedId }) => {
      return () => stores.runs.checkpoint(endedId, 'work');
    },
    saveDiff: {
      'with a change': async ({ stores, claimed }) => {
        const { lease } = await claimed();
        await stores.runs.saveDiff(lease, { ...diff, diff: '' });
        return () => stores.runs.saveDiff(lease, diff);
      },
      'without a change': async ({ stores, claimed }) => {
        const { lease } = await claimed();
        await stores.runs.saveDiff(lease, diff);
        return () => stores.runs.saveDiff(lease, diff);
      },
      'with a change of 4 MiB': async ({ stores, claimed }) => {
        const { lease } = await claimed();
        await stores.runs.saveDiff(lease, diff);
        return () => stores.runs.saveDiff(lease, largeDiff);
      },
      'of 4 MiB without a change': async ({ stores, claimed }) => {
        const { lease } = await claimed();
        await stores.runs.saveDiff(lease, largeDiff);
        return () => stores.runs.saveDiff(lease, largeDiff);
      },
    },
    diff: async ({ stores, endedId }) => {
      return () => stores.runs.diff(endedId);
    },
    appendLog: async ({ stores, claimed }) => {
      const { lease } = await claimed();
      return () => stores.runs.appendLog(lease, [{ command: 'ls', runSeq: 1, stream: 'stdout', text: 'a' }]);
    },
    log: async ({ stores, endedId }) => {
      return () => stores.runs.log(endedId, { after: 0, limit: 100 });
    },
  },
};

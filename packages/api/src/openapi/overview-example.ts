const WORKER = 'b1f6c2f0-5a3e-4a8e-9c55-6a0f4a1d7e22';
const AT = '2026-11-20T09:15:00.000Z';
const LATER = '2026-11-20T09:16:12.480Z';

/** Example answer of `admin.overview`: one issue runs. */
export const overviewExample = {
  version: '1.0.0',
  commit: null,
  queue: { waiting_for_slot: 0, waiting_for_repo: 1, oldest_queued_at: null },
  slots: [
    {
      number: 1,
      retired: false,
      holder: {
        issue_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
        title: 'Sum of an empty list is undefined',
        owner: { id: '0193a59e-4d21-7c3b-b0aa-52c1e7f90d34', email: 'ada@example.com', codehost_login: null },
        status: 'running',
        stage: 'implement',
        since: AT,
        worker_id: WORKER,
      },
    },
    { number: 2, retired: false, holder: null },
  ],
  workers: [
    {
      id: WORKER,
      host: 'worker-1',
      pid: 4711,
      role: 'worker',
      version: '1.0.0',
      concurrency: 10,
      started_at: AT,
      seen_at: LATER,
      state: 'running',
      sandbox: { kind: 'bwrap', usable: true, problem: null, gaps: [] },
    },
  ],
  readiness: {
    status: 'up',
    checks: {
      database: { status: 'up', latency_ms: 1 },
      cache: { status: 'up', latency_ms: 0 },
      vector_store: { status: 'up', latency_ms: 3 },
    },
  },
  configuration: [
    { name: 'PORT', value: '3000', source: 'environment', path: null },
    { name: 'SESSION_SECRET', value: null, source: 'env file', path: '/etc/sluice/env' },
  ],
};

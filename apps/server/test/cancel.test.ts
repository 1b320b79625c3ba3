import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { expectCancelledCleanly, MARKER, markedProcesses, started, treeExists } from './cancel-scene.ts';

describe('cancelling', () => {
  it('ends an issue that awaits approval', async () => {
    const run = await started({}, {}, `${MARKER}-gate`);
    await using server = run.server;
    await run.person.reaches(run.id, 'awaiting_approval');
    expect(treeExists(server.dataDir, run.id)).toBe(true);
    await expectCancelledCleanly(run.person, { ...run, dataDir: server.dataDir });
  });

  it('ends an issue whose tests block at the base, in implement', async () => {
    const marker = `${MARKER}-implement`;
    const run = await started({}, {}, marker);
    await using server = run.server;
    await run.person.reaches(run.id, 'awaiting_approval');
    await run.person.call('POST', `/api/issues/${run.id}/approve`, { action: 'approve' });
    await run.person.events(run.id, (event) => event.type === 'command.started');
    await until('its command runs', () => markedProcesses(marker).length > 0);
    await expectCancelledCleanly(run.person, { ...run, dataDir: server.dataDir });
  });
});

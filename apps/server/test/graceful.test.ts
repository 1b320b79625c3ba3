import { describe, it } from 'vitest';
import { useFleet } from './fleet.ts';
import { handsOver } from './graceful-scene.ts';

const fleet = useFleet();

describe('a stopping worker', () => {
  it.each([{ when: 'at the end of its stage', testSeconds: 2 }])(
    'hands its issue over $when to a worker that continues at once, before the lease expires',
    async ({ testSeconds }) => await handsOver(fleet, testSeconds),
  );
});

import { describe, it } from 'vitest';
import { type Outage, outliveOutage, useOutages } from './outage-scene.ts';

const scene = useOutages();

const databaseIsGone: Outage = {
  how: 'is gone',
  away: () => scene.services().postgres.kill(),
  back: () => scene.services().postgres.start(),
};

describe('a service whose database', () => {
  it.each([databaseIsGone])(
    '$how answers 503 within seconds, and recovers when it is back',
    async (outage) => await outliveOutage(scene, outage),
  );
});

import type { TokenCipher } from '@sluice/core/account';
import type { Clock } from '@sluice/core/async';
import type { Ids } from '@sluice/core/id';
import type { Signals } from '@sluice/core/issue';
import type { BaseBranches } from '@sluice/core/workspace';
import type { Stores } from '@sluice/db';
import type { Oracle } from './oracle.ts';
import type { Outside } from './outside.ts';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import type { SimFaults } from './sim-faults.ts';
import type { SimProcess } from './sim-process.ts';

/** What the parts of a run share. */
export interface World {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: SimFaults;
  readonly stores: Stores;
  readonly outside: Outside;
  readonly oracle: Oracle;
  /** The process that serves people: it is never frozen and never dies. */
  readonly api: SimProcess;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly cipher: TokenCipher;
  signalsOf(process: SimProcess): Signals;
  basesOf(process: SimProcess): BaseBranches;
  /** Lets everything happen that can still happen. For the end of a run, when no process has timers left. */
  settle(): Promise<void>;
}

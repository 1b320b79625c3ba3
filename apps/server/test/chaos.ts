import { parseArgs } from 'node:util';
import { atPace } from './chaos/fault-pace.ts';
import { measureIdleTransaction } from './chaos/idle-transaction.ts';
import { runChaos } from './chaos/run-chaos.ts';

// npm run soak -- chaos --issues 200 --repositories 60 --minutes 40
// npm run soak -- chaos --idle-transaction 600
const { values } = parseArgs({
  options: {
    apis: { type: 'string', default: '2' },
    workers: { type: 'string', default: '3' },
    issues: { type: 'string', default: '200' },
    repositories: { type: 'string', default: '60' },
    cap: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '40' },
    'kill-every-ms': { type: 'string', default: '1000' },
    'idle-transaction': { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const MAX_RESUMED_S = 30;

const seed = Number(values.seed);
const say = (line: string) => process.stdout.write(`${line}\n`);
const idleSeconds = values['idle-transaction'];
const report =
  idleSeconds === undefined
    ? await runChaos({
        apis: Number(values.apis),
        workers: Number(values.workers),
        issues: Number(values.issues),
        repositories: Number(values.repositories),
        cap: Number(values.cap),
        minutes: Number(values.minutes),
        seed,
        schedule: atPace({
          killWorker: Number(values['kill-every-ms']),
          freezeWorker: 20_000,
          stopWorker: 25_000,
          stopApi: 12_000,
          terminate: 15_000,
          redis: 20_000,
          chroma: 22_000,
          restartPostgres: 60_000,
          postgresRestarts: 2,
        }),
        say,
      })
    : await measureIdleTransaction({ seconds: Number(idleSeconds), seed, say });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const isLate = 'resumed' in report && report.resumed.p99 > MAX_RESUMED_S;
if (isLate) process.stdout.write(`issues stood still for more than ${MAX_RESUMED_S} s at p99\n`);
process.exitCode = report.violations.length === 0 && !isLate ? 0 : 1;

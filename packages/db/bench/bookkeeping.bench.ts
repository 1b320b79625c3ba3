import { DBOS } from '@dbos-inc/dbos-sdk';
import { postgresCpu, settableClock, startPostgres } from '@sluice/testing';
import { it } from 'vitest';
import { openPostgres } from '../src/index.ts';
import { aLease } from './a-lease.ts';
import { bookStages, OUTPUT } from './book-stage.ts';

const ROUNDS = 9;
const PER_ROUND = 200; // some 0.5 s of CPU: the server's is counted in steps of 10 ms

// The peer keeps a step's output and nothing else: no state that a client reads, no events, no usage, no fence.
it('keeps the books of one stage, beside one durable step', { timeout: 120_000 }, async ({ bench }) => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  await using stores = await openPostgres({ url, applicationName: 'bench', clock: settableClock() });
  const bookStage = bookStages(stores, await aLease(stores));
  const steps = stepsOfAWorkflow();
  const once = DBOS.registerWorkflow(async () => await DBOS.runStep(async () => OUTPUT, { name: 'stage' }), {
    name: 'once',
  });
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: await server.createDatabase(),
    logLevel: 'error',
    runAdminServer: false,
  });
  await DBOS.launch();
  const workflow = await DBOS.startWorkflow(steps.workflow)();
  const times = await bench.compare(
    bench('a step of DBOS', () => steps.next()),
    bench('a workflow of DBOS with one step', async () => void (await once())),
    bench("a stage's books", bookStage),
    { time: 3_000, warmupTime: 500 },
  );
  const cpu = await cpuPerCall(await postgresCpu(server), { step: () => steps.next(), stage: bookStage });
  steps.end();
  await workflow.getResult();
  await DBOS.shutdown();
  const p50 = (name: Parameters<typeof times.get>[0]) => times.get(name).latency.p50;
  const [step, whole, stage] = [p50('a step of DBOS'), p50('a workflow of DBOS with one step'), p50("a stage's books")];
  const ratio = (peer: number) => `${(stage / peer).toFixed(2)} (${stage.toFixed(2)} ms ÷ ${peer.toFixed(2)} ms)`;
  process.stdout.write(
    `a stage's books ÷ a step of DBOS, p50: ${ratio(step)}\n` +
      `a stage's books ÷ a workflow of DBOS with one step, p50: ${ratio(whole)}\n` +
      `a stage's books ÷ a step of DBOS, CPU: ${cpu}\n`,
  );
});

/** The CPU time of this process and of Postgres for a call of each, in turns: the median of the rounds. */
async function cpuPerCall(
  serverMs: () => number,
  { step, stage }: Record<'step' | 'stage', () => Promise<void>>,
): Promise<string> {
  const measure = async (call: () => Promise<void>) => {
    const [client, server] = [process.cpuUsage(), serverMs()];
    for (let n = 0; n < PER_ROUND; n += 1) await call();
    const { user, system } = process.cpuUsage(client);
    return { client: (user + system) / 1_000 / PER_ROUND, server: (serverMs() - server) / PER_ROUND };
  };
  const rounds: Record<'step' | 'stage', { client: number; server: number }>[] = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push({ step: await measure(step), stage: await measure(stage) });
  const median = (of: (round: (typeof rounds)[number]) => number) =>
    rounds.map(of).sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
  const ratio = median((round) => (round.stage.client + round.stage.server) / (round.step.client + round.step.server));
  const part = (name: 'step' | 'stage') =>
    `client ${median((r) => r[name].client).toFixed(2)} + server ${median((r) => r[name].server).toFixed(2)} ms`;
  return `${ratio.toFixed(2)} (${part('stage')} ÷ ${part('step')})`;
}

/** One workflow that takes a step each time that it is asked to: a step's own cost, without a workflow's. */
function stepsOfAWorkflow() {
  let asked = Promise.withResolvers<boolean>();
  let taken = Promise.withResolvers<void>();
  return {
    workflow: DBOS.registerWorkflow(
      async () => {
        while (await asked.promise) {
          asked = Promise.withResolvers();
          await DBOS.runStep(async () => OUTPUT, { name: 'stage' });
          taken.resolve();
        }
      },
      { name: 'steps' },
    ),
    next: async () => {
      taken = Promise.withResolvers();
      asked.resolve(true);
      await taken.promise;
    },
    end: () => asked.resolve(false),
  };
}

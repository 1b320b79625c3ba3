import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtProgram } from '@sluice/testing';
import { quantile } from './figures.ts';

const ROUNDS = 7;
const MAX_RATIO = 1.5;
const LIMIT_MS = 1_800_000; // tells of a hang

interface Times {
  readonly registrationMs: readonly number[];
  readonly webhookMs: readonly number[];
  readonly cpuMs: readonly number[];
}

interface Measured {
  readonly without: Times;
  readonly during: Times;
  /** Sentences about what did not end as it should. */
  readonly failures: readonly string[];
}

/** What another user's registration and webhook take while one account has sixty names hang, as medians of rounds. */
export async function hangNames() {
  const { without, during, failures } = await measure();
  const violations = [...failures];
  const compare = (what: string, of: keyof Times): [string, string] => {
    const [usual, slow] = [quantile(without[of], 0.5), quantile(during[of], 0.5)];
    const times = slow / usual;
    if (of !== 'cpuMs' && times > MAX_RATIO) violations.push(`${what} took ${times.toFixed(2)} times as long.`);
    return [what, `${slow.toFixed(0)} ms, without the attack ${usual.toFixed(0)} ms: ${times.toFixed(2)} times`];
  };
  const figures = Object.fromEntries([
    compare('registration of another user', 'registrationMs'),
    compare('webhook of another user', 'webhookMs'),
    compare('processor time of the server meanwhile', 'cpuMs'),
  ]);
  return { figures: { rounds: during.webhookMs.length, ...figures }, violations };
}

/** In a network of its own, with a name server of its own. */
async function measure(): Promise<Measured> {
  const script = fileURLToPath(new URL('./hanging-names.ts', import.meta.url));
  const program = [process.execPath, script, await builtProgram('server'), String(ROUNDS)];
  const { stdout } = await promisify(execFile)('unshare', ['--net', '--mount', ...program], { timeout: LIMIT_MS });
  return JSON.parse(stdout);
}

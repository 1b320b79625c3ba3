import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const built = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--out', built], { stdio: 'ignore' });

// Compared with the start of Node itself: the ratio is the overhead of the command.
it('starts, beside a Node that does nothing', { timeout: 120_000 }, async ({ bench }) => {
  const node =
    (...args: string[]) =>
    async () => {
      await run(process.execPath, args);
    };
  const times = await bench.compare(
    bench('node -e 0', node('-e', '0')),
    bench('sluice --version, built', node(join(built, 'sluice.js'), '--version')),
    bench('sluice --version, from the sources', node(join(root, 'apps/cli/src/main.ts'), '--version')),
    bench('sluice --help, built', node(join(built, 'sluice.js'), '--help')),
    { time: 3_000, warmupTime: 500 },
  );
  const p50 = (name: Parameters<typeof times.get>[0]) => times.get(name).latency.p50;
  for (const name of [
    'sluice --version, built',
    'sluice --version, from the sources',
    'sluice --help, built',
  ] as const) {
    process.stdout.write(`${name} ÷ node -e 0, p50: ${(p50(name) / p50('node -e 0')).toFixed(2)}\n`);
  }
});

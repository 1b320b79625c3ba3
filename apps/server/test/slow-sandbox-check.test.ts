import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@sluice/testing';
import { expect, it, onTestFinished } from 'vitest';
import { scratchFolder, startScratchServer } from './scratch-server.ts';

it('gives back all it holds when it is stopped, also while the sandbox is still being checked', async () => {
  const tools = scratchFolder();
  onTestFinished(() => rmSync(tools, { recursive: true, force: true }));
  const checked = join(tools, 'checked');
  const bwrap = `#!/bin/sh\necho $$ > ${checked}.pid\nwhile [ ! -e ${checked} ]; do sleep 0.1; done\n`;
  writeFileSync(join(tools, 'bwrap'), bwrap, { mode: 0o755 });
  await using server = await startScratchServer({ METRICS_PORT: '0', PATH: `${tools}:${process.env.PATH}` });
  const isServed = () =>
    fetch(server.metricsUrl ?? '').then(
      () => true,
      () => false,
    );
  expect(await isServed()).toBe(true);
  await until('the check has begun', () => existsSync(`${checked}.pid`));
  const closed = server.close();
  await until('the metrics are no longer served', async () => !(await isServed()));
  expect(() => process.kill(Number(readFileSync(`${checked}.pid`, 'utf8')), 0)).not.toThrow();
  writeFileSync(checked, '');
  await closed;
});

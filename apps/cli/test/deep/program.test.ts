import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { builtProgram } from '@sluice/testing';
import { expect, it } from 'vitest';
import type { Ended } from '../run-here.ts';
import { openTerminal } from '../terminal.ts';

// Usual way: apps/cli/test/program.test.ts

it('leaves --env-file to the command, although Node has an option of that name', async () => {
  using terminal = await openTerminal();
  const program = await builtProgram('sluice');
  const { code, stderr } = await new Promise<Ended>((resolve) => {
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const options = { cwd: terminal.home, env: { PATH: path, HOME: terminal.home } };
    execFile(program, ['config', '--env-file', 'none.env'], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('none.env: there is no such file') });
});

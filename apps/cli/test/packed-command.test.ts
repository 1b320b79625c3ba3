import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { installPacked } from './packed-installation.ts';

it('is on the path after an offline installation', async () => {
  using packed = await installPacked();
  // The commit is that of the checkout, if it has git's folder.
  const { stdout } = await packed.sluice('--version');
  expect(stdout.replace(/ \([0-9a-f]{10}\)\n$/, '\n')).toBe(`${manifest.version}\n`);
  const failed = await packed
    .sluice('issues', 'list', '--url', 'http://127.0.0.1:2')
    .catch((error: { code: number; stderr: string }) => error);
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sluice: The connection to \S+ was refused[^\n]+\n$/),
  });
});

import { expect, it } from 'vitest';
import { faultsOfSmallFiles } from './small-files.ts';

const step = { path: 'packages/a/src/b/step.ts', text: 'export const step = 1;\n' };
const importing = (path: string, specifier = './step.ts') => ({
  path,
  text: `import { step } from '${specifier}';\n`.concat('use(step);\n'.repeat(50)),
});

it.each([
  ['imports', "import { step } from './step.ts';\n"],
  ['imports the types of', "import type { Step } from './step.ts';\n"],
  ['exports', "export { step } from './step.ts';\n"],
  ['loads', "const { step } = await import('./step.ts');\n"],
  ['starts', "new Worker(new URL('./step.ts', import.meta.url));\n"],
])('refuses a small file that one neighbour alone %s', (_, text) => {
  const neighbour = { path: 'packages/a/src/b/whole.ts', text: text.concat('x();\n'.repeat(50)) };
  expect(faultsOfSmallFiles([step, neighbour], {})).toEqual([
    'packages/a/src/b/step.ts has fewer than 40 lines, and packages/a/src/b/whole.ts alone imports it: move it into that file',
  ]);
});

it.each([
  ['has two importers', [step, importing('packages/a/src/b/one.ts'), importing('packages/a/src/b/two.ts')]],
  ['is imported from another folder', [step, importing('packages/a/src/c/one.ts', '../b/step.ts')]],
  ['a door alone names', [step, importing('packages/a/src/b/index.ts')]],
  ['has 40 lines', [{ ...step, text: 'x();\n'.repeat(40) }, importing('packages/a/src/b/one.ts')]],
  ['nothing imports', [step]],
])('accepts a file that %s', (_, sources) => {
  expect(faultsOfSmallFiles(sources, {})).toEqual([]);
});

it('accepts an excuse while it is needed, and at most twenty', () => {
  const neighbour = importing('packages/a/src/b/whole.ts');
  expect(faultsOfSmallFiles([step, neighbour], { [step.path]: 'a thread starts from it' })).toEqual([]);
  expect(faultsOfSmallFiles([neighbour], { [step.path]: 'a thread starts from it' })).toEqual([
    expect.stringContaining('needs no excuse'),
  ]);
  const steps = Array.from({ length: 21 }, (_, at) => ({ ...step, path: `packages/a/src/b/step-${at}.ts` }));
  const users = steps.map((_, at) => importing(`packages/a/src/b/user-${at}.ts`, `./step-${at}.ts`));
  const excused = Object.fromEntries(steps.map(({ path }) => [path, 'it is said elsewhere']));
  expect(faultsOfSmallFiles([...steps, ...users], excused)).toEqual(['21 small files are excused, more than 20']);
});

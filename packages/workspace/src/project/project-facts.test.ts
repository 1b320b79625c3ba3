import { expect, it } from 'vitest';
import { projectFacts } from './project-facts.ts';
import { filesOf } from './test/detection-results.ts';

const packageOf = (rest: object) => JSON.stringify({ scripts: {}, ...rest });

it.each<[string, Record<string, string>, [programs: string[], packages: string[]]]>([
  [
    'npm, with the versions of its lockfile',
    {
      'package.json': packageOf({ dependencies: { zod: '^4.0.0' }, devDependencies: { vitest: '^5.0.0' } }),
      'package-lock.json': '{"packages":{"node_modules/zod":{"version":"4.6.7"}}}',
    },
    [
      ['node', 'npm'],
      ['zod 4.6.7', 'vitest ^5.0.0'],
    ],
  ],
  [
    'uv, with the versions of its lockfile',
    {
      'pyproject.toml': '[project]\ndependencies = ["Click>=8", "rich"]\n[dependency-groups]\ndev = ["pytest"]\n',
      'uv.lock': 'version = 1\n\n[[package]]\nname = "click"\nversion = "8.1.7"\n',
    },
    [
      ['python3', 'uv'],
      ['Click 8.1.7', 'rich', 'pytest'],
    ],
  ],
  ['requirements', { 'requirements.txt': 'click==8 # why\n-r other.txt\n' }, [['python3'], ['click==8']]],
  [
    'cargo',
    {
      'Cargo.toml': '[package]\nname = "a"\n[dependencies]\nserde = { version = "1" }\n',
      'Cargo.lock': '\nname = "serde"\nversion = "1.0.2"\n',
    },
    [['cargo', 'rustc'], ['serde 1.0.2']],
  ],
  [
    'go, without what is needed indirectly',
    { 'go.mod': 'require (\n\texample.com/a v1.2.3\n\texample.com/b v0.1.0 // indirect\n)\n' },
    [['go'], ['example.com/a v1.2.3']],
  ],
  ['a malformed manifest', { 'package.json': '{' }, [['node'], []]],
  ['services below the root', { 'api/go.mod': '', 'web/app/package.json': '{}' }, [['node', 'go'], []]],
])('knows the programs and packages of %s', async (_, files, [programs, packages]) => {
  const facts = await projectFacts(filesOf(files));
  expect(facts.programs.map(([name]) => name)).toEqual(programs);
  expect(facts.packages).toEqual(packages);
});

it('lists the whole root, folders first', async () => {
  const { topLevel } = await projectFacts(
    filesOf({ 'README.md': '', 'src/a.ts': '', 'src/b/c.ts': '', '.github/x': '' }),
  );
  expect(topLevel).toEqual(['.github/', 'src/', 'README.md']);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_x, at) => [`f${at}.txt`, '']));
  expect((await projectFacts(filesOf(many))).topLevel).toHaveLength(500);
});

it('names all packages of a manifest', async () => {
  const dependencies = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${at}`, '1']));
  expect((await projectFacts(filesOf({ 'package.json': packageOf({ dependencies }) }))).packages).toHaveLength(200);
});

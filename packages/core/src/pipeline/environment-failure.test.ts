import { expect, it } from 'vitest';
import { environmentFailure } from './environment-failure.ts';

const run = (exit_code: number | null, output_tail: string, failing: string[] = []) =>
  environmentFailure({ exit_code, output_tail, failing });

it.each([
  ['npm', 127, '> x@1.0.0 test\n> vitest run\n\nsh: 1: vitest: not found\n', 'sh: 1: vitest: not found'],
  ['bash', 127, 'bash: line 1: vitest: command not found\n', 'bash: line 1: vitest: command not found'],
  ['sh', 126, 'sh: 1: ./gradlew: Permission denied\n', 'sh: 1: ./gradlew: Permission denied'],
  ['a silent command', 127, '', 'exit code 127'],
  [
    'make',
    2,
    'vitest run\nmake: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n',
    'make: vitest: No such file or directory',
  ],
  [
    'make in a recipe of several commands',
    2,
    'make: *** [Makefile:2: test] Error 127\n',
    'make: *** [Makefile:2: test] Error 127',
  ],
  [
    'pnpm',
    1,
    'sh: 1: vitest: not found\n ELIFECYCLE  Test failed. See above for more details.\n WARN   Local package.json exists, but node_modules missing, did you mean to install?\n',
    'sh: 1: vitest: not found',
  ],
  ['npm in a workspace', 1, 'npm error code 127\nnpm error path /w/a\n', 'npm error code 127'],
  ['npx', 1, 'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\n', 'npm error code EAI_AGAIN'],
  ['python -m', 1, '/usr/bin/python3: No module named pytest\n', '/usr/bin/python3: No module named pytest'],
  [
    'cargo',
    101,
    'warning: spurious network error (1 try remaining): [6] Could not resolve hostname\nerror: failed to get `serde` as a dependency of package `x v0.1.0 (/w)`\n\nCaused by:\n  download of config.json failed\n',
    'error: failed to get `serde` as a dependency of package `x v0.1.0 (/w)`',
  ],
  [
    'mvn',
    1,
    '[\x1b[1;31mERROR\x1b[m] Plugin a:b:2.6 or one of its dependencies could not be resolved: Unknown host repo.maven.apache.org: Temporary failure in name resolution -> [Help 1]\n[ERROR] \n',
    '[\x1b[1;31mERROR\x1b[m] Plugin a:b:2.6 or one of its dependencies could not be resolved: Unknown host repo.maven.apache.org: Temporary failure in name resolution -> [Help 1]',
  ],
])('recognizes a test runner, or what it needs, that is missing by the words of %s', (...[, exitCode, output, why]) => {
  expect(run(exitCode, output)).toBe(why);
});

it('recognizes packages of Go whose imports could not be fetched, beside others whose tests pass', () => {
  const line =
    'x.go:3:8: a.test/b@v1.2.0: Get "https://proxy.golang.org/a.test/b.zip": dial tcp: lookup proxy.golang.org';
  const output = `# example.com/x\n${line}\nFAIL\texample.com/x [setup failed]\nok  \texample.com/y\t0.01s\nFAIL\n`;
  expect(run(1, output, ['example.com/x [setup failed]'])).toBe(line);
  expect(run(1, output, ['example.com/x [setup failed]', 'example.com/z TestZ'])).toBeNull();
  expect(run(1, 'x.go:3:8: no required module\nFAIL\tx [setup failed]\n', ['x [setup failed]'])).toBeNull();
});

it.each([
  [
    'a test of Go that found no host',
    run(1, '    x_test.go:7: Get "https://a.test/": dial tcp: lookup a.test\nFAIL\n'),
  ],
  ['a green run', run(0, './t.sh: 2: vitest: not found\ndone\n')],
  ['a red run', run(1, '1 failed\n')],
  ['a run in which tests failed by name', run(127, 'not ok 1 - adds\n', ['adds'])],
  ['a run that a limit ended', run(null, 'sh: 1: vitest: not found\n')],
  [
    'a red run of pnpm in a package without dependencies',
    run(
      1,
      '1 failed\n ELIFECYCLE  Test failed. See above for more details.\n WARN   Local package.json exists, but node_modules missing, did you mean to install?\n',
    ),
  ],
  ['a test that runs a missing program', run(1, 'expected: sh: 1: foo: not found\nError: exit 1\n')],
  ['a test that imports a missing module', run(1, "E   ModuleNotFoundError: No module named 'shop'\n")],
  ['a test of make that failed', run(2, 'make: *** [Makefile:2: test] Error 1\n')],
  ['words far above the end', run(1, `npm error code 127\n${'ok\n'.repeat(40)}1 failed\n`)],
])('takes %s as a result of the tests', (_, why) => {
  expect(why).toBeNull();
});

import type { ToolResultPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { type FailedRun, failedRun } from './failed-run.ts';

function run(output: string, { command = 'npm test', exitCode = 1 } = {}): FailedRun | null {
  const value = `Exit code ${exitCode}, after 1.0 s.\n${output}`;
  const result: ToolResultPart = {
    type: 'tool-result',
    toolCallId: '1',
    toolName: 'run_command',
    output: { type: 'text', value },
  };
  const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'run_command', input: { command } };
  return failedRun({ call, result, turn: 0 });
}

/** The output of a runner in which two tests fail, in the words that it has for each. */
const runners: Readonly<Record<string, (name: string, seen: number) => string>> = {
  'node --test': (name, seen) => `not ok 1 - ${name}\n  ---\n  duration_ms: ${seen}.31\n  error: got ${seen}\n# fail 1`,
  'the spec reporter of Node': (name, seen) => `✖ ${name} (${seen}.2ms)\nℹ fail 1\n  got ${seen}`,
  Vitest: (name, seen) =>
    ` FAIL  src/a.test.ts > ${name}\nAssertionError: got ${seen}\n Tests  1 failed | 3 passed (4)`,
  Jest: (name, seen) => `  ● sum › ${name}\n    Received: ${seen}\nTests:       1 failed, 3 passed, 4 total`,
  Mocha: (name, seen) => `  3 passing\n  1 failing\n\n  1) ${name}:\n     AssertionError: got ${seen}`,
  pytest: (name, seen) =>
    `FAILED tests/test_a.py::${name} - assert ${seen} == 3\n=== 1 failed, 3 passed in 0.0${seen}s ===`,
  unittest: (name, seen) => `FAIL: ${name} (test_a.Sum)\nAssertionError: ${seen} != 3\nFAILED (failures=1)`,
  'go test': (name, seen) => `--- FAIL: ${name} (0.0${seen}s)\n    sum_test.go:9: got ${seen}\nFAIL\texample.org/sum`,
  'cargo test': (name, seen) => `test sum::${name} ... FAILED\nleft: ${seen}\ntest result: FAILED. 3 passed; 1 failed;`,
  RSpec: (name, seen) => `  1) Sum ${name}\n     got: ${seen}\n4 examples, 1 failure`,
  Gradle: (name, seen) => `SumTest > ${name}() FAILED\n    expected 3 but was ${seen}\n4 tests completed, 1 failed`,
  PHPUnit: (name, seen) =>
    `1) SumTest::${name}\nFailed asserting that ${seen} is 3.\nTests: 4, Assertions: 4, Failures: 1.`,
};

describe('a failed run', () => {
  it.each(Object.entries(runners))('of %s is known by the tests that fail, not by what they say', (_name, output) => {
    const first = run(output('test_adds', 4));
    expect(first?.tests).toEqual(run(output('test_adds', 5))?.tests);
    expect(first?.message).not.toBe(run(output('test_adds', 5))?.message);
    expect(first?.tests).not.toEqual(run(output('test_halves', 4))?.tests);
  });

  it('is another one when more tests fail, in whatever order', () => {
    const [a, b] = ['not ok 1 - adds', 'not ok 2 - halves'];
    expect(run(`${a}\n${b}`)?.tests).toEqual(run(`${b}\n${a}`)?.tests);
    expect(run(`${a}\n${b}`)?.tests).not.toEqual(run(a)?.tests);
  });

  it.each([
    ['how long it took', (n: number) => `adds failed after ${n + 10} ms\n# duration_ms ${n}.5`],
    ['the time of day', (n: number) => `2026-11-2${n}T10:00:00.000Z adds failed at 10:00:0${n}`],
    ['the place in the source', (n: number) => `Error: off\n    at sum (/src/sum.js:1${n}:7)\n> 1${n} | return a;`],
    ['addresses and temporary files', (n: number) => `Foo@1a2b3c4${n} at 0xc00012${n} in /tmp/run-${n}/out`],
    ['a process, a port and a seed', (n: number) => `worker pid ${n}: no answer at localhost:400${n}, seed=${n}`],
  ])('says the same when only %s differs', (_what, output) => {
    expect(run(output(1))).toEqual(run(output(2)));
  });

  it('that names no test is known by its command', () => {
    expect(run('Segmentation fault')?.tests).toEqual(run('Bus error')?.tests);
    expect(run('Segmentation fault')?.message).not.toBe(run('Bus error')?.message);
    expect(run('Segmentation fault')?.tests).not.toEqual(run('Segmentation fault', { command: 'make check' })?.tests);
  });

  it.each(['npm test 2>&1 | tail -20', 'npm test; true', 'npm test || true'])(
    'is seen where %s hides it',
    (command) => {
      const hidden = run('not ok 1 - adds\n# fail 1', { command, exitCode: 0 });
      expect(hidden?.tests).toEqual(run('not ok 1 - adds\n# fail 1')?.tests);
    },
  );

  it.each([
    ['a green run', 'ok 1 - adds\n# pass 1\n# fail 0', { exitCode: 0, command: 'npm test' }],
    [
      'a green run of tests with telling names',
      '✔ 1 error is reported\n 4 passed, 0 failed',
      { exitCode: 0, command: 'npm test' },
    ],
    [
      'a green run that speaks of failures',
      'not ok 1 - adds\n 1 failed, as it must',
      { exitCode: 0, command: 'npm test' },
    ],
    ['a green run in a pipe', ' 4 passed, 0 failed', { exitCode: 0, command: 'npm test | tail -3' }],
    ['a list', '1) one\n2) two', { exitCode: 0, command: 'cat list.txt' }],
    ['a search that finds nothing', '(no output)', { exitCode: 1, command: 'grep -rn oldName src' }],
    ['a comparison', '(no output)', { exitCode: 1, command: 'git diff --quiet' }],
  ])('is not %s', (_what, output, how) => {
    expect(run(output, how)).toBeNull();
  });
});

import { expect, it } from 'vitest';
import { changeFindings } from '../src/change-findings.ts';

const paths = [
  'a.js',
  'a.test.js',
  'test_a.py',
  'a_test.go',
  'a.rs',
  'ATest.java',
  'ATest.php',
  'ATests.cs',
  'a_test.exs',
  'a_spec.rb',
  'package.json',
  'Makefile',
];
const more = ['.github/workflows/ci.yml', 'pyproject.toml', 'vitest.config.ts', 'tox.ini', '.eslintrc.json'];
const builds = ['build.gradle', 'pom.xml', 'phpunit.xml', 'conftest.py'];
const pieces = [
  '(',
  '"',
  '`',
  '\n',
  ' ',
  'it("a",()=>{',
  'def test_a():\n',
  '#[',
  'it "a" do\n',
  'thresholds: {',
  'a.',
  'a$',
  'include: ',
  'test {',
  '<plugin>maven-surefire-plugin',
  '<groups><exclude>',
  'exclude "a",',
  '@fixture(autouse=True)\ndef a():\n',
];

it('compares long files with thousands of tests and checks, of which some changed, in a few seconds', () => {
  const test =
    '    def test_a(self):\n        self.assertEqual(x.f(1), 3)\n        if y:\n            assert x.g(2) == 4\n\n';
  const before = `class TestX(unittest.TestCase):\n${test.repeat(2_500)}`;
  const after = before.replace('3)', '9)');
  const started = process.cpuUsage();
  changeFindings({ files: [{ path: 'test_x.py', before, after }], planned: [] });
  expect(process.cpuUsage(started).user).toBeLessThan(8_000_000);
});

it.each([...paths, ...more, ...builds])('reads a %s of one piece repeated, and never fails', (path) => {
  for (const piece of pieces) {
    const after = piece.repeat(20_000 / piece.length);
    // A search that goes back over what it has read would take minutes here.
    expect(changeFindings({ files: [{ path, before: `${after}x`, after }], planned: [] })).toBeInstanceOf(Array);
  }
});

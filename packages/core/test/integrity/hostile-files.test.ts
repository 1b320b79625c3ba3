import { expect, it } from 'vitest';
import { changeFindings } from '../../src/integrity/change-findings.ts';

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
];

it.each([...paths, ...more])('reads a %s of one piece repeated, and never fails', (path) => {
  for (const piece of pieces) {
    const after = piece.repeat(20_000 / piece.length);
    // A search that goes back over what it has read would take minutes here.
    expect(changeFindings({ files: [{ path, before: `${after}x`, after }], planned: [] })).toBeInstanceOf(Array);
  }
});

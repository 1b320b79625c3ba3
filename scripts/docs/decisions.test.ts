import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = new URL('docs/adr/', root);
const decisions = readdirSync(folder).filter((name) => name.endsWith('.md'));

describe.each(decisions)('the decision %s', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');

  it('has a number, a date and a status', () => {
    const number = Number.parseInt(name, 10);
    expect(text).toMatch(
      new RegExp(
        `^# ${number}\\. .+\\n\\nDate: \\d{4}-\\d{2}-\\d{2}\\nStatus: (accepted|superseded by ADR \\d+)\\n\\n`,
      ),
    );
  });

  it('has under sixty lines, except the list of dependencies', () => {
    const lines = text.split('\n').length;
    expect(name.startsWith('0006') || lines < 60, `${lines} lines`).toBe(true);
  });
});

it('numbers each decision once', () => {
  const numbers = decisions.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b);
  expect(numbers).toEqual([...new Set(numbers)]);
});

it('gives a reason for each dependency, and for nothing else', () => {
  const decision = readFileSync(new URL('0006-dependencies-and-their-reasons.md', folder), 'utf8');
  const [table = ''] = decision.split('\n## ');
  const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(listed.filter((name) => !/^(library|-+)$/.test(name)).toSorted()).toEqual(dependencies());
});

function dependencies(): string[] {
  const manifests = globSync(['package.json', '{apps,packages,examples,bench}/*/package.json'], { cwd: root });
  const names = manifests.flatMap((path) => {
    const manifest = JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Record<string, object | undefined>;
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest;
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  return [...new Set(names)].filter((name) => !name.startsWith('@sluice/')).toSorted();
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../docs/adr/', import.meta.url);
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

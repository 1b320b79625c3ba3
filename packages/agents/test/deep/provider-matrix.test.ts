import { SOURCES_READ } from '@sluice/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { cellOf, columns } from './matrix-cells.ts';
import { restoreFetch, rows } from './matrix-rows.ts';

// Usual way: packages/agents/test/models/vendor-packages.test.ts, packages/agents/test/models/refused-forms.test.ts

const cells = new Map<string, string>();

afterAll(restoreFetch);

it('cites the page of a vendor for everything that a server demands', () => {
  for (const { server } of rows) {
    const { thinks, thoughtsBack, rules, window, busy, badKey } = server;
    for (const { source } of [thinks, thoughtsBack, ...rules, window, busy, badKey])
      expect(source, server.name).toMatch(/^https:\/\/\S+\.\S+/);
    expect(new Set(rules.map(({ demands }) => demands)).size, server.name).toBe(rules.length);
  }
});

describe.each(rows)('$label', (row) => {
  it.each(columns)('keeps to what its vendor demands: %s', async (column) => {
    cells.set(`${row.label} ${column}`, await cellOf[column](row));
  });
});

it('comes to what stands in the golden table', async ({ skip }) => {
  skip(cells.size < rows.length * columns.length, 'only a part of the table was run');
  const line = (values: readonly string[]) => `| ${values.map((one) => one.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = [
    line([`sources read ${SOURCES_READ}`, ...columns]),
    line(['', ...columns].map(() => '---')),
    ...rows.map(({ label }) => line([label, ...columns.map((column) => cells.get(`${label} ${column}`) ?? '')])),
  ];
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('golden/provider-matrix.md');
});

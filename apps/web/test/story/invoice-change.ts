import type { SeededPlan } from './seeded-issue.ts';
import type { SeededFile } from './seeded-patch.ts';

export const discountReport = `Two chairs at 10.00 with a 10 % discount should cost **18.00**; the invoice says 19.90.
The discount is treated as cents instead of as a percentage.

\`\`\`js
linePrice({ unitCents: 1000, quantity: 2, discountPercent: 10 }) // 1990, should be 1800
\`\`\`
`;

export const invoiceTriage = {
  kind: 'bug',
  risk: 'low',
  summary: 'A wrong price',
  acceptance_criteria: [],
  open_questions: [],
};

export const invoicePlan: SeededPlan = {
  revision: 1,
  summary: 'Take the discount as a percentage of the line, and print it.',
  steps: [
    {
      title: 'Multiply instead of subtracting',
      detail: 'In `linePrice`, take `discountPercent / 100` off the full price and round once, at the end.',
      files: ['src/invoice.js'],
    },
    {
      title: 'Print the discount of a line',
      detail: 'Add the column *Discount* to `printLine`.',
      files: ['src/print.js', 'src/columns.js'],
    },
    { title: 'Test both', detail: 'Two chairs at 10 % cost 18.00.', files: ['test/invoice.test.js'] },
  ],
  acceptance_criteria: [
    'Two chairs at 10.00 with a 10 % discount cost 18.00.',
    'Lines without a discount cost what they did.',
  ],
  risks: ['Invoices that were printed before show other totals than a new print of the same data.'],
  test_strategy: 'The test *a discount takes its percentage off the line* fails today and passes after step 1.',
  guidance: null,
};

export const secondPlan: SeededPlan = {
  ...invoicePlan,
  revision: 2,
  steps: invoicePlan.steps.map((step, index) =>
    index === 1
      ? { ...step, detail: 'Add the column *Discount* to `printLine`; it stays when no line has one.' }
      : step,
  ),
  guidance: 'Keep the column when no line has a discount.',
};

export const invoiceFiles: readonly SeededFile[] = [
  {
    path: 'src/invoice.js',
    lines: [
      ' /** The price of a line in cents, after its discount in percent. */',
      ' export function linePrice({ unitCents, quantity, discountPercent = 0 }) {',
      '   const full = unitCents * quantity;',
      '-  return Math.round(full - discountPercent);',
      '+  return Math.round(full * (1 - discountPercent / 100));',
      ' }',
      ' ',
      ' /** The total of all lines in cents. */',
    ],
  },
  {
    path: 'src/print.js',
    start: 12,
    lines: [
      ' export function printLine(line) {',
      '-  return [line.name, money(line.unitCents), money(linePrice(line))].join("\\t");',
      '+  const discount = line.discountPercent ? line.discountPercent + " %" : "—";',
      '+  return [line.name, money(line.unitCents), discount, money(linePrice(line))].join("\\t");',
      ' }',
    ],
  },
  {
    path: 'test/invoice.test.js',
    start: 8,
    lines: [
      ' ',
      '+test("two chairs at 10 % cost 18.00", () => {',
      '+  const line = { unitCents: 1000, quantity: 2, discountPercent: 10 };',
      '+  assert.equal(linePrice(line), 1800);',
      '+});',
      '+',
      ' test("the total adds up all lines", () => {',
    ],
  },
  { path: 'notes.txt', isNew: true, lines: ['+Measured: 0.2 ms for 1,000 lines.'] },
];

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EconomyFix } from './economy-fix.ts';

/** The repository that the fixes are made in: a small library with its tests. */
export const booksFolder = fileURLToPath(new URL('../../fixtures/books/', import.meta.url));

const nextDate = 'src/schedule/next-date.js';
const readCsv = 'src/import/read-csv.js';
const bankRows = 'src/import/import-bank-rows.js';
const importTest = 'test/import.test.js';

/** A fix in one file. */
const endOfMonth: EconomyFix = {
  name: 'one file',
  title: 'Monthly rules give dates that do not exist',
  body: `A rule that begins on the 31st gives dates such as 2026-02-31: \`dateAfter('2026-01-31', 'monthly', 1)\` is
\`2026-02-31\`. In a shorter month it should be due on the last day, and come back to the 31st afterwards.`,
  criteria: ["dateAfter('2026-01-31', 'monthly', 1) is 2026-02-28, and with 2 it is 2026-03-31."],
  edits: [
    {
      path: nextDate,
      from: "import { addDays, isWeekend, partsOf, toIso } from './calendar.js';",
      to: "import { addDays, daysInMonth, isWeekend, partsOf, toIso } from './calendar.js';",
    },
    {
      path: nextDate,
      from: '  return toIso(inYear, inMonth, day);',
      to: '  return toIso(inYear, inMonth, Math.min(day, daysInMonth(inYear, inMonth)));',
    },
  ],
  rename: null,
  files: [nextDate],
  reads: ['src/schedule/calendar.js', 'test/schedule.test.js'],
  search: 'dateAfter',
  reproduction: "import { dateAfter } from './src/index.js';\nconsole.log(dateAfter('2026-01-31', 'monthly', 1));\n",
  steps: [
    {
      title: 'Use the last day of a shorter month',
      detail:
        'In addMonths of src/schedule/next-date.js, take the smaller of the day and daysInMonth of the month that is reached. dateAfter counts from the first date, so later months come back to the 31st by themselves.',
      files: [nextDate],
    },
  ],
};

/** A feature with its test, over three files. */
const separator: EconomyFix = {
  name: 'feature with test',
  title: 'Read exports of banks that separate cells with semicolons',
  body: `Many banks write \`date;text;amount\`. \`readCsv\` and \`readCsvRecords\` should take a separator as an option, a
comma where none is given, and \`previewBankRows\` and \`importBankRows\` should pass on a \`separator\` of their own. A
quoted cell may hold it.`,
  criteria: [
    'readCsv and readCsvRecords read cells that { separator: ";" } separates, and quoted cells that hold one.',
    'previewBankRows and importBankRows read such an export with separator: ";", and commas without it.',
  ],
  edits: [
    {
      path: readCsv,
      from: ` * @param {string} text
 * @returns {string[][]} the rows; an empty last line is no row
 * @throws {SyntaxError} when a quote is never closed
 */
export function readCsv(text) {`,
      to: ` * @param {string} text
 * @param {{ separator?: string }} options one character; a comma where none is given
 * @returns {string[][]} the rows; an empty last line is no row
 * @throws {SyntaxError} when a quote is never closed
 */
export function readCsv(text, { separator = ',' } = {}) {`,
    },
    { path: readCsv, from: "sign === ',') endCell()", to: 'sign === separator) endCell()' },
    {
      path: readCsv,
      from: `export function readCsvRecords(text) {
  const [heads = [], ...rows] = readCsv(text);`,
      to: `export function readCsvRecords(text, options = {}) {
  const [heads = [], ...rows] = readCsv(text, options);`,
    },
    {
      path: bankRows,
      from: `export function readBankRows(csv, currency) {
  return readCsvRecords(csv).map(`,
      to: `export function readBankRows(csv, currency, options = {}) {
  return readCsvRecords(csv, options).map(`,
    },
    {
      path: bankRows,
      from: 'export function previewBankRows(journal, { bank, rules, csv }) {',
      to: "export function previewBankRows(journal, { bank, rules, csv, separator = ',' }) {",
    },
    {
      path: bankRows,
      from: 'return readBankRows(csv, currency).map(',
      to: 'return readBankRows(csv, currency, { separator }).map(',
    },
    {
      path: bankRows,
      from: `export function importBankRows(journal, { bank, rules, csv }) {
  const { currency } = journal.chart.get(bank);
  const lines = previewBankRows(journal, { bank, rules, csv });`,
      to: `export function importBankRows(journal, { bank, rules, csv, separator = ',' }) {
  const { currency } = journal.chart.get(bank);
  const lines = previewBankRows(journal, { bank, rules, csv, separator });`,
    },
    {
      path: importTest,
      from: "test('finds rows that have too many cells or too few'",
      to: `test('reads cells that semicolons separate', () => {
  assert.deepEqual(readCsv('a;"b;c";d,e\\n', { separator: ';' }), [['a', 'b;c', 'd,e']]);
  const csv = 'date;text;amount\\n2026-01-02;Rent;-900\\n';
  const given = { bank: 'asset:bank', rules: [], csv, separator: ';' };
  assert.equal(importBankRows(emptyJournal(), given).written, 1);
});

test('finds rows that have too many cells or too few'`,
    },
  ],
  rename: null,
  files: [readCsv, bankRows, importTest],
  reads: ['src/index.js'],
  search: 'readCsv',
  reproduction: "import { readCsv } from './src/index.js';\nconsole.log(readCsv('a;b', { separator: ';' }));\n",
  steps: [
    {
      title: 'Take a separator where cells are read',
      detail:
        'readCsv in src/import/read-csv.js gets a second argument { separator = "," } and ends a cell at that character instead of at a comma; readCsvRecords passes its options on.',
      files: [readCsv],
    },
    {
      title: 'Pass it on where a bank is imported',
      detail:
        'readBankRows gets options that it passes to readCsvRecords; previewBankRows and importBankRows take separator, a comma by default, and pass it on.',
      files: [bankRows],
    },
    {
      title: 'Test it',
      detail:
        'In test/import.test.js, before "finds rows that have too many cells", read cells that semicolons separate, with a quoted one, and import one row.',
      files: [importTest],
    },
  ],
};

/** A rename of a class as a whole word: names that only contain it stay. */
const amount: EconomyFix = {
  name: 'rename over 12 files',
  title: 'Rename the class Money to Amount',
  body: `What the library calls Money is an amount: rename the class \`Money\` to \`Amount\` everywhere, in code, in
comments and in tests. \`MoneyError\`, \`parseMoney\` and the names of files stay as they are. Nothing else changes.`,
  criteria: ['No word Money is left in src and test; MoneyError and parseMoney are.'],
  edits: [],
  rename: { from: 'Money', to: 'Amount' },
  files: filesWith('Money'),
  reads: [],
  search: 'Money',
  reproduction: "import * as books from './src/index.js';\nconsole.log('Amount' in books);\n",
  steps: [
    {
      title: 'Rename the class',
      detail:
        'Replace the word Money by Amount in all files that hold it: the class in src/money/money.js, its imports and uses, the comments, the export in src/index.js and the test. MoneyError, parseMoney and the names of files stay.',
      files: filesWith('Money'),
    },
  ],
};

export const economyFixes: readonly EconomyFix[] = [endOfMonth, separator, amount];

function filesWith(word: string): string[] {
  return execFileSync('grep', ['-rlw', word, 'src', 'test'], { cwd: booksFolder, encoding: 'utf8' })
    .trim()
    .split('\n')
    .sort();
}

import type { Budgets, MonthlyBudget, OperatorBudgets } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';

interface Row extends MonthlyBudget {
  readonly of: string;
}

type Limit = MonthlyBudget['limit'];

const states: Readonly<Record<MonthlyBudget['state'], string>> = {
  open: '',
  warned: '80 % are used',
  exhausted: 'used up: no model is called',
};

const count = (number: number) => number.toLocaleString('en-US');
const usd = (amount: number | null) => (amount === null ? 'unknown' : `${amount.toFixed(2)} USD`);

/** A limit in words: `200.00 USD, 5,000,000 tokens`. */
export function renderLimit({ cost_usd, tokens }: Limit): string {
  const parts = [
    ...(cost_usd === null ? [] : [usd(cost_usd)]),
    ...(tokens === null ? [] : [`${count(tokens)} tokens`]),
  ];
  return parts.length === 0 ? 'no limit' : parts.join(', ');
}

function renderRows(rows: readonly Row[], sheet: Sheet): string {
  return renderColumns(
    rows,
    [
      { title: 'BUDGET', cell: ({ of }) => plainLine(of), narrow: 'shorten', colour: () => 'bold' },
      { title: 'LIMIT', cell: ({ limit }) => renderLimit(limit) },
      { title: 'USED', cell: ({ share }) => (share === null ? '' : `${Math.floor(share * 100)} %`) },
      { title: 'COST', cell: ({ spent }) => usd(spent.cost_usd) },
      { title: 'TOKENS', cell: ({ spent }) => count(spent.input_tokens + spent.output_tokens) },
      { title: '', cell: ({ state }) => states[state], colour: () => 'yellow' },
    ],
    sheet,
  );
}

function renderNotes(month: string, rows: readonly Row[]): string {
  const unpriced = rows.reduce((sum, { spent }) => Math.max(sum, spent.unpriced_calls), 0);
  const note =
    unpriced === 0 ? '' : `\nThe price of ${count(unpriced)} calls is unknown: only a limit in tokens holds those.`;
  return `In ${month} (UTC).${note}`;
}

/** Renders one's own budgets and those that one administers. */
export function renderBudgets({ month, user, repositories, installation }: Budgets, sheet: Sheet): string {
  const rows: Row[] = [
    { of: 'you', ...user },
    ...repositories.map((repo) => ({ of: repo.name, ...repo })),
    ...(installation === null ? [] : [{ of: 'this server', ...installation }]),
  ];
  return `${renderRows(rows, sheet)}\n\n${renderNotes(month, rows)}`;
}

/** Renders the budgets that an operator sets. */
export function renderOperatorBudgets(
  { month, installation, each_user, users }: OperatorBudgets,
  sheet: Sheet,
): string {
  const rows: Row[] = [
    { of: 'this server', ...installation },
    ...users.map((user) => ({ of: user.email ?? user.codehost_login ?? user.user_id, ...user })),
  ];
  const each = `Each user without a limit of their own: ${renderLimit(each_user)}.`;
  return `${renderRows(rows, sheet)}\n\n${each}\n${renderNotes(month, rows)}`;
}

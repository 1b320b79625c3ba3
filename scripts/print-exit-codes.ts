import { exitCode, exitCodeByKind, exitCodeByStatus, exitCodeMeaning } from '../apps/cli/src/terminal/exit-code.ts';
import { printTable } from './print-table.ts';

type Name = keyof typeof exitCode;

/** Renders `docs/exit-codes.md`: each exit code, its meaning and its causes. */
export function printExitCodesPage(): string {
  const rows = (Object.keys(exitCode) as Name[]).map((name) => {
    const code = exitCode[name];
    return [String(code), exitCodeMeaning[name], leadingTo(exitCodeByKind, code), leadingTo(exitCodeByStatus, code)];
  });
  return `<!-- Generated from apps/cli/src/terminal/exit-code.ts by "npm run gen". -->

# Exit codes

The third column lists the kinds of [errors](errors.md) that lead to an exit code, the fourth the final status of a followed
issue (\`run\`, \`demo\`, \`issues watch\`, \`--watch\`).

${printTable(['code', 'meaning', 'kinds of errors', 'last status'], rows)}
`;
}

function leadingTo(table: Readonly<Record<string, number | null>>, code: number): string {
  const names = Object.keys(table).filter((name) => table[name] === code);
  return names.map((name) => `\`${name}\``).join(', ');
}

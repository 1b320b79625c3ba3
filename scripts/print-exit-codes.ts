import { exitCode, exitCodeByKind, exitCodeByStatus, exitCodeMeaning } from '../apps/cli/src/terminal/exit-code.ts';
import { printTable } from './print-table.ts';

type Name = keyof typeof exitCode;

/** `docs/exit-codes.md`: what the command's exit says, and what leads to it. */
export function printExitCodesPage(): string {
  const rows = (Object.keys(exitCode) as Name[]).map((name) => {
    const code = exitCode[name];
    return [String(code), exitCodeMeaning[name], leadingTo(exitCodeByKind, code), leadingTo(exitCodeByStatus, code)];
  });
  return `<!-- Printed from apps/cli/src/terminal/exit-code.ts by "npm run gen". -->

# Exit codes

What \`sluice\` ends with. The third column has the kinds of [errors](errors.md), the fourth the last status of an issue that
was waited for (\`run\`, \`demo\`, \`issues watch\`, \`--watch\`).

${printTable(['code', 'meaning', 'kinds of errors', 'last status'], rows)}
`;
}

function leadingTo(table: Readonly<Record<string, number | null>>, code: number): string {
  const names = Object.keys(table).filter((name) => table[name] === code);
  return names.map((name) => `\`${name}\``).join(', ');
}

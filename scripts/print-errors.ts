import { exitCodeByKind } from '../apps/cli/src/terminal/exit-code.ts';
import { httpStatusByKind } from '../packages/api/src/error/public-error.ts';
import { type ErrorCode, errorCatalog } from '../packages/core/src/error/error-catalog.ts';
import { errorRemedies } from '../packages/core/src/error/error-remedies.ts';
import { printTable } from './print-table.ts';

const codes = Object.entries(errorCatalog) as [ErrorCode, (typeof errorCatalog)[ErrorCode]][];

/** `docs/errors.md`: every code of the catalogue, with what each edge makes of it. */
export function printErrorsPage(): string {
  const answered = codes.filter(([, { kind }]) => kind !== 'pipeline');
  const ofPipelines = codes.filter(([, { kind }]) => kind === 'pipeline');
  return `<!-- Printed from packages/core/src/error/ by "npm run gen". -->

# Errors

Every refusal over HTTP is JSON with at least \`detail\` (a sentence for people) and \`code\` (a stable word for programs).
\`errors\` names faulty fields, \`request_id\` the request in the server's log; some codes have further members. tRPC has
the same under \`error.data.error\`. Go by \`code\`: one status has many, and sentences change.

## Answers

*exit* is what [the command](exit-codes.md) ends with. *again* says whether the same request may succeed later by itself; \`POST\`
is safe to send again [with an \`Idempotency-Key\`](script-it.md#retry-safely).

${printTable(
  ['code', 'status', 'exit', 'again', 'meaning', 'what to do'],
  answered.map(([code, { kind, retry, message }]) => [
    `\`${code}\``,
    String(httpStatusByKind[kind]),
    String(exitCodeByKind[kind]),
    retry ? 'yes' : '',
    message,
    errorRemedies[code],
  ]),
)}

## Why an issue fails

These end a stage, or the issue. No request is answered with them: they stand as sentences in the issue's \`error\`, in
\`stage.failed\` and in \`sluice issues show\`, and by their codes in the server's log. So do those of the table above that
say *again*. *tried again* is what the worker does by itself, a few times and ever later; then, or without it, the issue is
\`failed\`, and \`sluice issues retry\` goes on at the stage that failed. The command ends with ${exitCodeByKind.pipeline}.

${printTable(
  ['code', 'tried again', 'meaning', 'what to do'],
  ofPipelines.map(([code, { retry, message }]) => [`\`${code}\``, retry ? 'yes' : '', message, errorRemedies[code]]),
)}
`;
}

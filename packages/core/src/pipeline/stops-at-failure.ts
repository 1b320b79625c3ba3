/** Options by which runners stop at the first failing test, or after some. */
const OPTIONS = [
  /\s--bail(?!=(?:0|false)\b| 0\b)(?=[\s=]|$)/, // jest, vitest, mocha, bun
  /\s--?fail-?fast\b/, // go, rspec, unittest, dotnet, AVA, deno, pub
  /\s--(?:exitfirst|maxfail|max-failures|stop-on-(?:failure|error|defect))\b/, // pytest, Playwright, PHPUnit, ctest
  /\b(?:py\.?test|playwright)\b.*\s-[hlqsv]*x/, // not `-rx`, which asks for a report
  /\bmocha\b.* -b\b/,
];

/** Whether a command stops its tests at a failure, so that what is behind it is not tested. */
export function stopsAtFailure(command: string): boolean {
  return OPTIONS.some((option) => option.test(command));
}

const FAILED = /^(?:\[ERROR\] +)?(\S.*?)\s+(?:-- )?Time elapsed: [\d.,]+ (?:s|sec)\s+<<< (?:FAILURE|ERROR)!/;

/** Reads Maven's surefire and failsafe: `Class.test -- Time elapsed: … <<< FAILURE!`, in the forms of versions 2 and 3. */
export function surefireFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    if (/^\[ERROR\] COMPILATION ERROR/.test(line)) return ['compilation error'];
    const name = FAILED.exec(line)?.[1];
    return name === undefined || name.startsWith('Tests run:') ? [] : [name];
  });
}

const FAILED = /^(.*?)\sTime elapsed: [\d.,]+ (?:s|sec)\s+<<< (?:FAILURE|ERROR)!/;

/** Reads Maven's surefire and failsafe: `Class.test -- Time elapsed: … <<< FAILURE!`, in the forms of versions 2 and 3. */
export function surefireFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    if (/^\[ERROR\] COMPILATION ERROR/.test(line)) return ['compilation error'];
    const said = FAILED.exec(line)?.[1];
    return said === undefined ? [] : nameIn(said);
  });
}

function nameIn(said: string): string[] {
  const name = said
    .replace(/^\[ERROR\] /, '')
    .trim()
    .replace(/\s--$/, '')
    .trimEnd();
  return name === '' || name.startsWith('Tests run:') ? [] : [name];
}

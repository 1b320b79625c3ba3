import type { ChangedFile, Finding } from '@sluice/core/change';
import { belongsToTests } from './belongs-to-tests.ts';

/** Calls that end the process of the tests as if they had passed. In a test of its own that may be what is tested. */
const exits: readonly (readonly [RegExp, RegExp])[] = [
  [/\.[cm]?[jt]sx?$/, /^process\.exit\((?:0|)\)|^[^\n]*\bprocess\.exitCode\s*=\s*0\b/m],
  [/\.py$/, /^(?:sys\.exit|os\._exit|exit|quit)\((?:0|)\)/m],
  [
    /_test\.go$/,
    /^func TestMain\([^\n]*\n(?:[ \t][^\n]*\n|\n)*?[ \t]+os\.Exit\(0\)|^func TestMain\([^\n]*(?:\n(?![^\n]*\.Run\()[ \t][^\n]*|\n(?=\n))*\n\}/m,
  ],
  [/\.rb$/, /^exit!?(?:\((?:0|true)\)|[ \t]+(?:0|true))?[ \t]*$|\bat_exit[^\n]*\bexit!?[( ]*(?:0|true)\b/m],
];

/** Files of tests that let the run end well whatever their tests find. */
export function forcedExits(files: readonly ChangedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }): Finding[] => {
    const exit = exits.find(([name]) => name.test(path))?.[1];
    if (after === null || exit === undefined || !belongsToTests(path)) return [];
    const found = exit.exec(after);
    if (found === null || exit.test(before ?? '')) return [];
    const line = after.slice(0, found.index + found[0].length).split('\n').length;
    const [last = ''] = /[^\n]*$/.exec(found[0]) ?? [];
    return [
      { kind: 'test_vacuous', path, line, detail: `The tests of the file end well in any case: \`${last.trim()}\`.` },
    ];
  });
}

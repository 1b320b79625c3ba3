import { buildSelection } from './build-selection.ts';
import type { TestSelection } from './test-selection.ts';

/** Reads a configuration, as far as its form is known. */
export function readSelection(path: string, text: string): TestSelection {
  const build = buildSelection(path, text);
  if (build !== null) return build;
  const plain = withoutOthers(text);
  return {
    included: valuesOf(plain, INCLUDES),
    narrow: valuesOf(plain, PATTERNS).filter((value) => NAMED.test(value.replaceAll(ANY, '')) || BELOW.test(value)),
    excluded: valuesOf(plain, EXCLUDES).filter((value) => !USUAL.test(value)),
    off: [...matches(plain, OFF), ...(path.endsWith('Cargo.toml') ? matches(text, NO_AUTOTESTS) : [])],
    strict: Array.from(plain.matchAll(STRICT).take(MAX_KEYS), ([, name = '']) =>
      name.replaceAll(/[-_]/g, '').toLowerCase(),
    ),
    skips: path.endsWith('conftest.py') ? hookSkips(text) : [],
  };
}

const OFF =
  /^[ \t]*\w+\.(?:filter_run_excluding\b|(?:filter_run(?:_including)?)\b(?![ (]+:?focus)|(?:in|ex)clusion_filter\s*=|exclude_pattern\s*=|pattern\s*=|fail_if_no_examples\s*=\s*false)[^\n]*|\bdef\s+self\.runnable_methods\b|\bpassWithNoTests["']?\s*[:=]\s*true|\ballowOnly["']?\s*[:=]\s*true|\bforbidOnly["']?\s*[:=]\s*false|\b[Xx]fail_strict\s*=\s*[Ff]alse|\bignore_outcome\s*=\s*[Tt]rue|^[ \t]*test[ \t]*=[ \t]*false|^collect_ignore\w*\s*=|(?<![\w-])(?:f?grep|grepInvert|testNamePattern)["']?\s*[:=]\s*["'`/[](?![~^]?\d)[^,\n]*|\binvert["']?\s*:\s*true/gm;
const STRICT =
  /\b(forbid-?[oO]nly|forbid-?[pP]ending|fail-?[oO]n-?[eE]mpty-?[tT]est-?[sS]uite|xfail_strict|strict_markers)["']?\s*[:=]\s*(?!false\b|False\b)[^\s,]/g;
/** In the section of the package, which has nothing else about tests. */
const NO_AUTOTESTS = /^[ \t]*autotests[ \t]*=[ \t]*false/gm;

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern).take(MAX_KEYS), ([found]) => found.trim());
}

const EXCLUDES =
  /\b(exclude|excludes|testPathIgnorePatterns|modulePathIgnorePatterns|watchPathIgnorePatterns|ignore|ignores|testIgnore|norecursedirs|excludeSpecPattern|collect_ignore(?:_glob)?)["']?\s*[:=]\s*/g;
const INCLUDES =
  /\b(include|includes|testMatch|testRegex|specs?|testpaths|python_files|python_classes|python_functions|testDir|roots|specPattern|tests)["']?\s*[:=]\s*/g;
const PATTERNS =
  /\b(testMatch|testRegex|testPathPatterns?|testpaths|python_files|python_classes|python_functions)["']?\s*[:=]\s*/g;
/** Parts of a pattern that takes all tests; a name that is left stands for some of them. */
const ANY = /rootDir|__tests__|tests?|specs?|src|lib|packages|apps|unit|integration|e2e|\b[cm]?[jt]sx?\b|\bpy\b/gi;
const NAMED = /[a-z]{2}/i;
/** A part of a folder of tests. */
const BELOW = /(?:^|\/)tests?\/\w+\/?$/;
/** Folders that hold no tests of one's own. */
const USUAL =
  /node_modules|\bdist\b|\bbuild\b|\bcoverage\b|\bout\b|\btarget\b|\.git\b|\bvendor\b|\bfixtures?\b|__fixtures__|\.next|venv|\btmp\b|generated|\bdocs?\b|\bbench/i;

/** Removes sections that are not about tests: files that are left out of the coverage are still tested. */
function withoutOthers(text: string): string {
  const plain = text.replaceAll(/\bcoverage["']?\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, '');
  const sections = plain.split(/^(?=\[{1,2}[\w.:"' -]+\]{1,2}[ \t]*$)/m);
  return sections.filter((section) => !/^\[/.test(section) || TEST_SECTION.test(section)).join('');
}

const TEST_SECTION = /^\[{1,2}(?:tool[.:])?(?:pytest|lib|test|bin|testenv|nosetests|unittest)\b/;

const MAX_KEYS = 100; // of one file

function valuesOf(text: string, keys: RegExp): string[] {
  return Array.from(text.matchAll(keys).take(MAX_KEYS)).flatMap(({ index, 0: head }) => {
    const rest = text.slice(index + head.length, index + head.length + 4_000);
    const value = /^\[[^\]]*\]|^\n(?:[ \t]*-[ \t]*[^\n]*\n?)+|^\n(?:[ \t]+[^\n]*\n?)+|^[^\n]*/.exec(rest)?.[0] ?? '';
    const texts = Array.from(
      value.matchAll(/"([^"\n]*)"|'([^'\n]*)'|^[ \t]*-[ \t]*([^\s"'][^\n]*)$/gm),
      ([, a, b, c]) => a ?? b ?? c ?? '',
    );
    const plain = texts.length > 0 || /^[[{]/.test(value) ? texts : value.trim().split(/\s+/);
    return plain.filter((one) => one !== '' && !/^(?:true|false|[~^]?\d[\w.-]*)$/.test(one));
  });
}

/** A function that pytest calls for all tests, or that runs before each of them. */
const HOOK = /^(?:async[ \t]+)?def[ \t]+pytest_\w+/;
const FUNCTION = /^(?:async[ \t]+)?def\b/;
const AUTOUSE = /^@[^\n]*\bfixture\b[\s\S]*\bautouse\s*=\s*True\b/;
const SKIPS =
  /\bpytest\.(?:skip|xfail|exit)\s*\(|\bmark\.(?:skip|xfail)\b|deselect|\bitems\s*\[\s*:\s*\]\s*=|\bitems\.(?:remove|clear|pop)\b|\bexitstatus\s*=(?!=)|\.outcome\s*=(?!=)|\bos\._exit\(|\bdef\s+pytest_ignore_collect\b/g;

/** What the hooks and the fixtures for every test do to leave tests out, or to let a failed run pass. */
function hookSkips(text: string): string[] {
  const blocks = text.split(/^(?=@|def\b|async[ \t]|class\b)/m);
  return blocks
    .filter((block, at) => HOOK.test(block) || (FUNCTION.test(block) && AUTOUSE.test(blocks[at - 1] ?? '')))
    .flatMap((block) => block.match(SKIPS) ?? []);
}

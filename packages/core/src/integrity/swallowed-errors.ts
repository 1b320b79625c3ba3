import type { TestCase } from './test-case.ts';

const CHECK = /\b(?:assert|expect|t\.(?:Error|Fatal)|fail|throw)/i;

const NOTHING =
  /^\s*(?:(?:console\.\w+|\w+\.printStackTrace|System\.\w+\.println)\([^)]*\);?|return;?|\/\*.*\*\/)?\s*$/;

/** Whether a failing assertion of a test can be lost: in an empty `catch`, in `except: pass`, by `recover()`. */
export function swallowsErrors({ bare, language }: TestCase): boolean {
  switch (language) {
    case 'javascript':
    case 'jvm':
      return (
        Array.from(bare.matchAll(/\btry\s*\{([\s\S]{0,4000}?)\}\s*catch\s*(?:\([^)]*\))?\s*\{([^{}]*)\}/g)).some(
          ([, tried = '', caught = '']) =>
            CHECK.test(tried) && NOTHING.test(caught) && !/\bfail\s*\(|unreachable/i.test(tried),
        ) || /\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)/.test(bare)
      );
    case 'python':
      return (
        (/\bexcept\b[^\n:]*:[ \t]*(?:\n[ \t]+)?(?:pass|\.\.\.|return|continue)\b/.test(bare) &&
          /\btry\s*:[\s\S]*?\bassert\b[\s\S]*?\bexcept\b/.test(bare)) ||
        /\bsuppress\(\s*(?:AssertionError|Exception|BaseException)\b/.test(bare)
      );
    case 'go':
      return (
        /\brecover\(\)/.test(bare) &&
        !/\bt\.(?:Error|Fatal|Fail)\w*\([\s\S]*recover|recover\(\)[\s\S]{0,200}\bt\.(?:Error|Fatal|Fail)/.test(bare)
      );
    case 'rust':
      return /\blet\s+_\s*=\s*(?:std::panic::)?catch_unwind\(/.test(bare);
    case 'outlined':
      return false;
    case 'ruby':
      return /\brescue\b[^\n]*\n\s*(?:nil\s*\n\s*)?end\b/.test(bare) || /\brescue\s+nil\b/.test(bare);
  }
}

/** A function that pytest calls for all tests, or that runs before each of them. */
const HOOK = /^(?:async[ \t]+)?def[ \t]+pytest_\w+/;
const FUNCTION = /^(?:async[ \t]+)?def\b/;
const AUTOUSE = /^@[^\n]*\bfixture\b[\s\S]*\bautouse\s*=\s*True\b/;
const SKIPS =
  /\bpytest\.(?:skip|xfail|exit)\s*\(|\bmark\.(?:skip|xfail)\b|deselect|\bitems\s*\[\s*:\s*\]\s*=|\bitems\.(?:remove|clear|pop)\b|\bexitstatus\s*=(?!=)|\.outcome\s*=(?!=)|\bos\._exit\(|\bdef\s+pytest_ignore_collect\b/g;

/** What the hooks and the fixtures for every test do to leave tests out, or to let a failed run pass. */
export function hookSkips(text: string): string[] {
  const blocks = text.split(/^(?=@|def\b|async[ \t]|class\b)/m);
  return blocks
    .filter((block, at) => HOOK.test(block) || (FUNCTION.test(block) && AUTOUSE.test(blocks[at - 1] ?? '')))
    .flatMap((block) => block.match(SKIPS) ?? []);
}

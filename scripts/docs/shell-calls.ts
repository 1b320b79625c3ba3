/** A call of a program in shell text: its words, without what comes before it (`VAR=… if ! `) and without redirections. */
export type Call = readonly string[];

const BEFORE = /^([A-Za-z_]\w*=.*|if|then|else|elif|while|until|do|!|time|exec|sudo|env|\{)$/;

/**
 * The calls in shell text, those inside `$(…)` too. It knows quotes, comments, operators and redirections, which is
 * the shell syntax that the documentation uses; lines of here-documents are taken for calls, which does no harm.
 */
export function shellCalls(text: string): Call[] {
  const calls: string[][] = [[]];
  let word: string | null = null;
  let skip = false;
  const quotes: string[] = ['']; // the innermost last: one of ' and ", or nothing inside $(…)
  const endWord = () => {
    if (word !== null && !skip) calls.at(-1)?.push(word);
    if (word !== null) skip = false;
    word = null;
  };
  const endCall = () => {
    endWord();
    calls.push([]);
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    const quote = quotes.at(-1);
    if (quote === "'") {
      if (char === "'") quotes.pop();
      else word += char;
    } else if (char === '\\') {
      at += 1;
      if (text[at] !== '\n') word = (word ?? '') + (text[at] ?? '');
    } else if (char === '$' && text[at + 1] === '(') {
      word = `${word ?? ''}$`;
      endCall();
      quotes.push('');
      at += 1;
    } else if (quote === '"') {
      if (char === '"') quotes.pop();
      else word += char;
    } else if (char === '"' || char === "'") {
      quotes.push(char);
      word ??= '';
    } else if (char === '#' && word === null) {
      at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at) - 1;
    } else if (char === '<' || char === '>') {
      if (/^\d+$/.test(word ?? '')) word = null;
      endWord();
      skip = true;
      while (/[<>&]/.test(text[at + 1] ?? '')) at += 1;
    } else if (/[;&|()\n]/.test(char)) {
      if (char === ')' && quotes.length > 1) quotes.pop();
      endCall();
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word = (word ?? '') + char;
    }
  }
  endWord();
  return calls.map(withoutPreface).filter(({ length }) => length > 0);
}

function withoutPreface(words: readonly string[]): Call {
  const first = words.findIndex((word) => !BEFORE.test(word));
  return first === -1 ? [] : words.slice(first);
}

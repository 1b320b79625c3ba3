import { expect, it } from 'vitest';
import { shellFaults } from '../../src/lexical/syntax/shell-faults.ts';

it.each([
  'for arg do\n  echo "$arg"\ndone\n',
  'for ((i = 0; i < 3; i++)); do echo $i; done; for ((;;)) { break; }\n',
  'shopt -s extglob\nrm !(a|b) @(c|d)/*\n',
  'desc=\nif [ a = b ]; then x= y=; fi\nprogress= start=\nif date; then :; fi\n',
  'case $1 in a) ;; (b | "c d") echo;& *[!x]) exit ;; esac\ncase "$2" in \'\') ;; esac\n',
  'cat <<EOF && cat <<-\'END\' | sed "s/\'/x/" || exit\n$(if { (\nEOF\n\tit\'s ${x\n\tEND\necho "`cat <<\\X\n)\nX\n`"\n',
  `echo "$(echo "a ) $(b "c")")" "\${x:-"y"}" "\${y%'}" \`echo "'"\` "it's \${z#\\}}" \${a[@]/'}'/b}\n`,
  'if true; then { a; } fi\nif [[ $x =~ ^(a|b)$ ]] then b; elif ((1 << 2)) then c; else d; fi\n',
  'a=(if then "b c"\n  # it\'s\n  $(done_))\ndeclare -A m=([do]=1)\nf() ( cd x && ls; )\nfunction g { echo } fi; }\n',
  'while read -r line; do x+=1; done < <(ls) >out 2>&1 &\nuntil a; do b; done | tee c &>/dev/null\n',
  `x=$((1 + (2 << 3))) y=$(( $(a) )); ((gzip -c; echo $?) | b) 3>&1; echo $# \${#x} a#b done fi "esac"\n`,
  'coproc NAME { a; }\ncoproc { b; }\ntime { c; }\n! { d; }\nselect e in f; do break; done\n',
  "printf $'it\\'s\\n' $\"a\" # it's ( a comment\necho \\' \\\" \\( \\#\n",
  'constructor\nvalueOf constructor\n',
  'if a\nthen b\nelse if c; then d; fi; fi\r\n',
])('takes a script that runs: %j', (text) => {
  expect(shellFaults(text)).toEqual([]);
});

it.each([
  ['if a; then\n  b\n', [1, '"if" is not closed']],
  ['for x in y; do\n  b\n', [1, '"for" is not closed']],
  ['if a\n  b\nfi\n', [3, '"fi" closes nothing']],
  ['if a; then b; done\n', [1, '"done" closes nothing']],
  ['a\nelse\nb\n', [2, '"else" is not expected']],
  ['f() {\n  a\n}\n}\n', [4, '"}" closes nothing']],
  ['case a in\n  b) c\n', [1, '"case" is not closed']],
  ['case a in\n  b) c ;;\nfi\n', [1, '"case" is not closed']],
  ['a ;;\n', [1, '";;" is not expected']],
  ['a\ndone < x\n', [2, '"done" closes nothing']],
  ['x="a\n\nb\n', [1, '""" is not closed']],
  ["x='a\n", [1, '"\'" is not closed']],
  ['x=$(a\nb\n', [1, '"$(" is not closed']],
  ['a=(b\n', [1, '"(" is not closed']],
  ['a )\n', [1, '")" closes nothing']],
  ['a\ncat <<END\nb\n', [2, 'the here-document has no end']],
  ['cat <<END', [1, 'the here-document has no end']],
] as const)('says where and what in %j', (text, [line, problem]) => {
  expect(shellFaults(text)).toEqual([{ line, problem }]);
});

import { beforeAll, expect, it } from 'vitest';
import { fileSymbols } from './file-symbols.ts';
import { languageOf } from './language.ts';
import { createSyntaxParser, type SyntaxParser } from './syntax-parser.ts';

let parser: SyntaxParser;
beforeAll(async () => {
  parser = await createSyntaxParser();
});

/** One line a symbol: indented by depth, kind, name, line. */
async function outline(path: string, text: string): Promise<string> {
  const language = languageOf(path);
  if (language === null) throw new Error(`no grammar for ${path}`);
  const symbols = await parser.read({ language, text }, (root) => fileSymbols(root, { language, text }));
  return (symbols ?? []).map((one) => `${'  '.repeat(one.depth)}${one.kind} ${one.name} ${one.startLine}`).join('\n');
}

const ecmascript = `import x from 'x';
export default function App() { const inner = () => 1; }
export const A = memo(1), arrow = async (a) => a;
export class K extends Z {
  m() {}
  f = () => 1;
  g = 2;
  #p() {}
}
module.exports = { a() {}, c: () => 1, d: 3 };
Foo.prototype.bar = function () {};
const obj = { fetch() { return 1; } };
`;
const ecmascriptOutline = `function App 2
constant A 3
function arrow 3
class K 4
  method m 5
  method f 6
  method #p 8
method a 10
method c 10
function Foo.prototype.bar 11
constant obj 12
  method fetch 12`;

it.each([
  ['a.js', ecmascript, ecmascriptOutline],
  ['a.tsx', ecmascript, ecmascriptOutline],
  [
    'a.ts',
    `${ecmascript}abstract class Ab { abstract z(): void; }
interface I { m(): void }
type T = string;
declare module 'foo' { export function amb(): void }
namespace N.M { export function q() {} }
enum E { A }
`,
    `${ecmascriptOutline}
class Ab 13
  method z 13
interface I 14
type T 15
namespace 'foo' 16
  function amb 16
namespace N.M 17
  function q 17
enum E 18`,
  ],
  [
    'a.py',
    `LIMIT = 3
@decor
def top(a):
    def inner(): pass
class A(Base):
    x = 1
    @property
    def m(self): pass
    async def n(self): pass
if True:
    def cond(): pass
`,
    `constant LIMIT 1
function top 3
class A 5
  method m 8
  method n 9
function cond 11`,
  ],
  [
    'a.go',
    `package x
const ( B = 2
 C = 3 )
var D int
type S struct { a int }
type I interface { M() }
func top() {}
func (s *S) M(a int) error { return nil }
func (s G[T]) N() {}
`,
    `constant B 2
constant C 3
variable D 4
struct S 5
interface I 6
function top 7
method S.M 8
method G.N 9`,
  ],
  [
    'a.rs',
    `#[derive(Debug)]
pub struct P { a: u8 }
impl<T> Foo for P<T> { fn m(&self) {} }
trait T { fn s(&self); }
mod inner { pub fn deep() {} }
macro_rules! mm { () => {} }
fn main() {}
`,
    `struct P 2
impl P<T> 3
  method m 3
trait T 4
  method s 4
module inner 5
  function deep 5
macro mm 6
function main 7`,
  ],
  [
    'A.java',
    `package x;
public class A<T> extends B {
  A() {}
  @Override public int m(int a) { return 1; }
  enum E { X; void q(){} }
}
record R(int a) {}
`,
    `class A 2
  constructor A 3
  method m 4
  enum E 5
    method q 5
record R 7`,
  ],
  [
    'a.h',
    `#define SQ(x) ((x)*(x))
namespace n { class K : public B { public: K(); int m() const { return 1; } }; }
template<typename T> T tt(T a) { return a; }
struct S { int a; };
struct S s;
static int *fp(void);
int (*table)(int);
int K::out(int a) { return a; }
`,
    `macro SQ 1
namespace n 2
  class K 2
    method K 2
    method m 2
function tt 3
struct S 4
function fp 6
function K::out 8`,
  ],
  [
    'a.cs',
    `namespace N.M { public class A { public A() {} public int P { get; set; } public async Task M<T>(int a) {} } }
interface I { void Z(); }
`,
    `namespace N.M 1
  class A 1
    constructor A 1
    property P 1
    method M 1
interface I 2
  method Z 2`,
  ],
  [
    'a.rb',
    `module M
  class A < B
    def m(a); end
    def self.s; end
  end
end
def top; end
`,
    `module M 1
  class A 2
    method m 3
    method s 4
method top 7`,
  ],
  [
    'a.php',
    `<?php
namespace A\\B;
function top() {}
final class K extends L { public function m() {} }
enum E: string { case A = 'a'; public function x() {} }
`,
    `function top 3
class K 4
  method m 4
enum E 5
  method x 5`,
  ],
  ['a.sh', 'foo() { echo; }\nfunction bar { echo; }\n', 'function foo 1\nfunction bar 2'],
  [
    'a.ps1',
    'function Get-It { 1 }\nclass K { [int] M() { return 1 } }\n',
    'function Get-It 1\nclass K 2\n  method M 2',
  ],
  [
    'a.css',
    '.a, .b > c { color: red }\n@media (width < 3px) { .z { x: y } }\n@keyframes spin { from { a: b } }\n',
    'rule .a, .b > c 1\nmedia @media (width < 3px) 2\n  rule .z 2\nkeyframes spin 3',
  ],
])('finds what a file defines: %s', async (path, text, expected) => {
  expect(await outline(path, text)).toBe(expected);
});

it('bounds names and signatures and keeps them on one line', async () => {
  const text = `.${'a'.repeat(500)},\n.b {\n}\nfunction`;
  const source = { language: 'css', text } as const;
  const [rule] = (await parser.read(source, (root) => fileSymbols(root, source))) ?? [];
  expect(rule).toMatchObject({
    name: `.${'a'.repeat(119)}`,
    signature: `.${'a'.repeat(239)}`,
    startLine: 1,
    endLine: 3,
  });
});

it.each([
  ['Makefile', null],
  ['a.kt', null],
  ['.ts', 'typescript'],
  ['x/A.TSX', 'tsx'],
  ['a.d.mts', 'typescript'],
  ['a.constructor', null],
])('knows a language by the end of the name: %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

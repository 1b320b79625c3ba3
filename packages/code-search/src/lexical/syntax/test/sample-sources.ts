/** A small source of a language, and pieces of its newest syntax that may follow it. */
export interface SampleSource {
  readonly path: string;
  readonly text: string;
  readonly modern: readonly string[];
}

export const sampleSources: readonly SampleSource[] = [
  {
    path: 'src/cart.ts',
    text: `import { price } from './price.ts';

/** A cart (with "items"). */
export class Cart<T extends { id: string }> {
  readonly #items = new Map<string, T>();

  add(item: T, count = 1): number {
    if (count < 1) throw new Error(\`bad \${count}\`);
    for (let i = 0; i < count; i += 1) {
      this.#items.set(item.id, item);
    }
    return [...this.#items.values()].reduce((sum, one) => sum + price(one), 0);
  }
}
`,
    modern: [
      'export const LIMITS = { a: 1 } as const satisfies Record<string, number>;\n',
      '@sealed class A { @observed accessor x = 1; static { this.y = 2; } declare z: string }\n',
      "const data = await fetch('x');\nawait using file = open();\n",
      "import config from './a.json' with { type: 'json' };\nexport type { X } from './x.ts';\n",
      'function first<const T extends readonly unknown[]>(a: T): asserts a is T {}\n',
      'type Last<T> = T extends [...infer _, infer L extends string] ? L : never;\nenum E { A, B = 2 }\n',
      'const pick = useStore<State, number>((s) => s?.a?.[0] ?? 1_000);\nlet big = 10n;\n',
    ],
  },
  {
    path: 'src/list.tsx',
    text: `import { useState } from 'react';

export function List({ items }: { items: string[] }) {
  const [open, setOpen] = useState(false);
  if (items.length === 0) return null;
  return (
    <ul className="list" onClick={() => setOpen(!open)}>
      {items.map((item) => (
        <li key={item}>{open ? item : 'closed'}</li>
      ))}
    </ul>
  );
}
`,
    modern: [
      'const A = <T,>(p: P<T>) => <><B {...p} a="x" />text &amp; more</>;\n',
      'const B = <a href="?a=1&b=2" alt="">Terms & Conditions of R&D</a>;\ntype C = A & { b: B };\n',
      'export default async function Page() { return <Suspense fallback={<p>…</p>}><X.Y /></Suspense>; }\n',
    ],
  },
  {
    path: 'lib/queue.js',
    text: `'use strict';

const LIMIT = 10;

function push(queue, item) {
  if (queue.length >= LIMIT) {
    return { ok: false, reason: "full: " + LIMIT };
  }
  queue.push(item);
  return { ok: true, size: queue.length };
}

module.exports = { push, match: (s) => /[a-z]+(\\d)/.test(s) };
`,
    modern: [
      'class Q { #a = 1; static #b() {} static { Q.#b(); } get [Symbol.iterator]() { return #a in this; } }\n',
      'label: for (const [k, v] of Object.entries(x)) { if (k?.y ?? v) continue label; }\n',
      "export * as ns from 'x';\nconst m = await import('y');\na ||= b; c &&= d; e ??= f;\n",
      'const el = <div class=""><p {...x} /></div>;\n',
      'const link = <a href="?a=1&b=2">it & that</a>;\nconst bits = 1 & 2 && 3;\n',
    ],
  },
  {
    path: 'scripts/serve.mjs',
    text: `#!/usr/bin/env node
import { createServer } from 'node:http';

const PORT = 8080;

export function serve(folder) {
  const server = createServer((request, response) => {
    response.end(folder.read(request.url));
  });
  server.listen(PORT);
  return server;
}
`,
    modern: [
      "import config from './a.json' with { type: 'json' };\nexport { serve as 'the server' };\n",
      'class A { accessor b = 1; static async *#c() {} }\nawait using x = open();\n',
    ],
  },
  {
    path: 'app/store.py',
    text: `"""A store."""
import json


class Store:
    def __init__(self, path, limit=10):
        self.path = path
        self.items = {"a": [1, 2], 'b': (3,)}

    def load(self):
        with open(self.path) as file:
            for line in file:
                if not line.strip():
                    continue
                self.items.update(
                    json.loads(line),
                )
        return self.items


def total(store):
    return sum(len(v) for v in store.items.values())
`,
    modern: [
      'match point:\n    case {"x": x, **rest} if x > 1:\n        pass\n    case [1, *_] | None:\n        pass\n    case _:\n        pass\n',
      'type Pair[T] = tuple[T, T]\n\n\ndef first[T: int](pair: Pair[T]) -> T:\n    return pair[0]\n',
      'class Box[T = int, *Ts = *tuple[int, ...]](Base[T]):\n    pass\n\n\ntype Alias[T: (int, str) = int] = list[T]\n',
      'if (n := len([1])) > 0:\n    print(f"{n=!r:>{4}} {"x"}")\n',
      'try:\n    pass\nexcept* ValueError as group:\n    raise group from None\n',
      'with (\n    open("a") as a,\n    open("b") as b,\n):\n    pass\n',
      'async def main(a, /, *, b=1):\n    async with x as y:\n        return [z async for z in y]\n',
      'text = """\n  indented\n    text\n"""\nlong = 1 + \\\n    2\nclass Empty: ...\n',
    ],
  },
  {
    path: 'pkg/pool.go',
    text: `package pkg

import (
	"errors"
	"fmt"
)

type Pool[T any] struct {
	free []T
	max  int
}

func (p *Pool[T]) Get() (T, error) {
	var zero T
	if len(p.free) == 0 {
		return zero, errors.New("empty")
	}
	last := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return last, nil
}

func Name(p *Pool[int]) string {
	return fmt.Sprintf("%d of %d", len(p.free), p.max)
}
`,
    modern: [
      'type Number interface{ ~int | ~float64 }\n\nfunc Sum[T Number, U any](a []T, f func(T) U) (s T) {\n\tfor i := range 10 {\n\t\t_ = i\n\t}\n\treturn s\n}\n',
      'const ( A = iota; B )\n\nvar ( c = 1 )\n\nfunc P() *int { d := new([]int); return new(5 + len(*d)) }\n',
      'type Alias[T any] = []T\n\nfunc All(yield func(int, string) bool) {}\n',
      'var raw = `a { ( [`\n\nfunc G() {\n\tswitch v := any(1).(type) {\n\tcase int:\n\t\tclear(m)\n\tdefault:\n\t\t_ = v\n\t}\n}\n',
    ],
  },
  {
    path: 'src/parse.rs',
    text: `use std::collections::HashMap;

pub struct Parser<'a> {
    text: &'a str,
    seen: HashMap<String, usize>,
}

impl<'a> Parser<'a> {
    pub fn next(&mut self) -> Option<&'a str> {
        let end = self.text.find(' ')?;
        let (word, rest) = self.text.split_at(end);
        *self.seen.entry(word.to_string()).or_insert(0) += 1;
        self.text = rest.trim_start();
        match word {
            "" => None,
            other => Some(other),
        }
    }
}
`,
    modern: [
      'fn f(x: Option<u8>) -> u8 {\n    let Some(y) = x else { return 0 };\n    if let Some(z) = x && z > 1 { z } else { y }\n}\n',
      "impl<const N: usize> Bytes for Buf<N> where Self: 'static {\n    type Item<'b> = &'b [u8] where Self: 'b;\n    async fn read(&self) {}\n}\n",
      '#[unsafe(no_mangle)]\npub extern "C" fn g(v: impl Fn() -> u8 + use<>) { let c = c"x"; let a = async || {}; }\n',
      'unsafe extern "C" { pub safe fn cos(x: f64) -> f64; safe static LIMIT: u8; }\n',
      'macro_rules! add { ($($x:expr),* $(,)?) => { 0 $(+ $x)* }; }\n',
    ],
  },
  {
    path: 'src/main/java/Shop.java',
    text: `package shop;

import java.util.List;

public class Shop {
    private final List<String> names;

    public Shop(List<String> names) {
        this.names = names;
    }

    public int count(String prefix) {
        int n = 0;
        for (String name : names) {
            if (name.startsWith(prefix)) {
                n += 1;
            }
        }
        return n;
    }
}
`,
    modern: [
      'record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } }\n',
      'import module java.base;\n',
      'class N extends Shop { N(int a) { if (a < 0) throw new E(); super(null); } N() { this(1); } }\n',
      'sealed interface Shape permits Circle, Square {}\n',
      'class M { String f(Object o) { return switch (o) { case Point(int a, var b) when a > 1 -> "x"; case null, default -> { yield """\n  a "b" {\n  """; } }; } }\n',
      'class V { void f() { for (var _ : x) {} var list = new ArrayList<Map<String, ? extends T>>(); } }\n',
    ],
  },
  {
    path: 'lib/report.rb',
    text: `require 'json'

class Report
  attr_reader :rows

  def initialize(rows)
    @rows = rows
  end

  def total(kind)
    rows.select { |row| row[:kind] == kind }.sum do |row|
      row.fetch(:amount, 0)
    end
  end

  def to_s
    return "empty" if rows.empty?
    "rows: #{rows.size} (#{total(:a)})"
  end
end
`,
    modern: [
      'def square(x) = x * x\n',
      'case { name: "a", tags: [1, *] }\nin { name: String => name, tags: [Integer, *] } if name.size > 0\n  puts name\nend\n',
      'config => { host:, port: }\n[1].map { it * 2 }\ndef fwd(...) = other(...)\n',
      'text = <<~EOS\n  a #{1 + 2} ( {\nEOS\n',
    ],
  },
  {
    path: 'src/Mailer.php',
    text: `<?php

namespace App;

class Mailer
{
    private array $sent = [];

    public function __construct(private string $from)
    {
    }

    public function send(string $to, string $text): bool
    {
        if (strlen($text) === 0) {
            return false;
        }
        $this->sent[] = ['to' => $to, 'text' => "from {$this->from}"];
        return true;
    }
}
`,
    modern: [
      "enum Suit: string { case Hearts = 'H'; public function label(): string { return match($this) { self::Hearts => 'h' }; } }\n",
      '#[Attribute]\nfinal readonly class P { public function __construct(public int|string $x = 1) {} }\n',
      'class H { public string $name { get => $this->name; set { } } public private(set) int $a; }\n',
      '$copy = clone($a, ["b" => 1]); $c = clone $d;\n',
      'function f(?A ...$a): never { $g = strlen(...); $b?->c; f(a: 1); throw new X(); }\n',
    ],
  },
  {
    path: 'src/Clock.cs',
    text: `using System;

namespace App
{
    public class Clock
    {
        private readonly Func<DateTime> now;

        public Clock(Func<DateTime> now)
        {
            this.now = now;
        }

        public string Show(bool date)
        {
            if (date)
            {
                return $"{now():yyyy} at {now().Hour}";
            }
            return now().ToString("HH:mm");
        }
    }
}
`,
    modern: [
      'public record struct Point(int X, int Y = 1);\npublic class B(int a) : A(a) { public required string N { get; init; } }\n',
      'class S { int F(object o) => o switch { Point { X: > 1 and < 3 } p when true => 1, [1, .., 2] => 2, _ => 3 }; int[] z = [1, ..y]; }\n',
      'class R { string s = """\n  raw "x" {\n  """; }\n',
    ],
  },
  {
    path: 'bin/deploy.sh',
    text: `#!/bin/bash
set -euo pipefail

deploy() {
  local target="$1"
  if [ -z "$target" ]; then
    echo "no target" >&2
    return 1
  fi
  for file in build/*; do
    cp "$file" "$target/"
  done
}

deploy "\${1:-/srv}"
`,
    modern: [
      `while read -r line; do echo "\${line//a/b}"; done < <(ls)\n`,
      `case "$1" in a|b) ;; *) exit 1 ;; esac\n[[ $x =~ ^a+$ ]] && echo "\${a[@]:1:2}"\n`,
      "cat <<'EOF'\n ( { if\nEOF\n",
      'for arg do shift; done\nlast= next=\nif true; then { :; } fi\n',
      'shopt -s extglob\nrm !(a|b)\nn=$(($1 + 0)) 2>/dev/null && test "$n" = "$1"\n',
    ],
  },
  {
    path: 'web/site.css',
    text: `.card {
  color: #333;
  background: url("a.png");
}

@media (min-width: 600px) {
  .card:hover {
    width: calc(100% - (2 * 10px));
  }
}
`,
    modern: [
      '.a { &:hover { color: oklch(50% 0.1 20) } @media (width > 600px) { inset: 0 } }\n',
      "@layer base, x;\n@container side (min-width: 1px) { p { --v: { a: b } } } /* it's ( */\n",
    ],
  },
  {
    path: 'src/ring.cpp',
    text: `#include <vector>

template <typename T>
class Ring {
 public:
  explicit Ring(size_t n) : data_(n), at_(0) {}

  void push(const T& value) {
    data_[at_ % data_.size()] = value;
    at_ += 1;
  }

 private:
  std::vector<T> data_;
  size_t at_;
};
`,
    modern: [
      'template <typename T>\nconcept C = requires(T a) { { a + 1 } -> std::same_as<int>; };\nimport std;\n',
      "TEST(A, b) { EXPECT_EQ(1'000, f(')')); }\n#define LOOP(x) do { x } while (0)\nFOO(bar)\n",
      'auto s = R"(a " ( {)"; // it\'s (\n',
    ],
  },
  {
    path: 'package.json',
    text: `{
  "name": "shop",
  "scripts": {
    "test": "node --test",
    "build": "tsc -p ."
  },
  "files": ["dist", "src"]
}
`,
    modern: [],
  },
];

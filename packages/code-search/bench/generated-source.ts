const WORDS =
  'account batch cache cursor delta entry filter group handle index job key ledger merge node order page query range state token user value worker'.split(
    ' ',
  );

/** A TypeScript file as people write them, some 5 KB: always the same for the same number and revision. */
export function generatedSource(number: number, revision: number): string {
  let seed = number * 7_919 + revision + 1;
  const word = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return WORDS[seed % WORDS.length] ?? '';
  };
  const humped = () => `${word()}${upper(word())}${upper(word())}`;
  const type = `${upper(word())}${upper(word())}${number}`;
  const body = () => {
    const [a, b, c] = [humped(), humped(), humped()];
    return [
      `    const ${a} = await this.${word()}.${word()}(input, { limit: ${seed % 500} });`,
      `    if (${a} === null) throw new Error(\`no ${word()} for the ${word()} \${input}\`);`,
      `    // The ${word()} is kept, so that the ${word()} of the ${word()} stays what it was.`,
      `    const ${b} = ${a}.filter((one) => one.${word()} !== '${word()}').map((one) => one.${word()} * ${seed % 90});`,
      `    for (const ${c} of ${b}) {`,
      `      this.${word()}.set(\`${word()}-\${${c}}\`, ${c} > ${seed % 70} ? '${word()}' : null);`,
      '    }',
      `    return ${b}.length > 0 ? ${b} : [];`,
    ].join('\n');
  };
  const methods = Array.from(
    { length: 7 },
    () =>
      `  /** Reads the ${word()} of a ${word()}. */\n  async ${humped()}(input: string): Promise<number[]> {\n${body()}\n  }\n`,
  );
  return `import { ${upper(word())} } from './${word()}.ts';

export interface ${type}Options {
  readonly ${word()}: string;
  readonly ${word()}Limit: number;
}

export const ${humped()}Limit = ${seed % 1_000};

/** Keeps the ${word()} of each ${word()} in step with its ${word()}. Revision ${revision}. */
export class ${type} {
${methods.join('\n')}}

export function ${humped()}(${word()}: string, limit: number): string {
  return \`\${limit}\`.padStart(${seed % 20}, '${word()}');
}
`;
}

function upper(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

import { issueMachine } from '../packages/core/src/issue/issue-machine.ts';

const slotInWords = { held: 'yes', kept_or_freed: 'yes, unless `GATE_KEEPS_SLOT=off`', none: 'no' };

/** The issue machine as a chart and a table, from the one table that the program runs on. */
export function printIssueMachine(): string {
  const rows = Object.entries(issueMachine);
  const moves = rows.flatMap(([from, { on }]) =>
    Object.entries(on).map(([trigger, to]) => `  ${from} --> ${to}: ${trigger}`),
  );
  const ends = rows.filter(([, { terminal }]) => terminal).map(([status]) => `  ${status} --> [*]`);
  const facts = rows.map(
    ([status, { slot, terminal, on }]) =>
      `| \`${status}\` | ${slotInWords[slot]} | ${terminal ? 'yes' : 'no'} | ${Object.keys(on).join(', ') || '-'} |`,
  );
  return `<!-- Printed from packages/core/src/issue/issue-machine.ts by "npm run gen". -->

# What an issue can do

What the words mean, and why a person stands where he stands: [states-and-the-gate.md](states-and-the-gate.md).

\`\`\`mermaid
stateDiagram-v2
${[...moves, ...ends].join('\n')}
\`\`\`

| status | holds a slot | has ended | what can happen |
|---|---|---|---|
${facts.join('\n')}
`;
}

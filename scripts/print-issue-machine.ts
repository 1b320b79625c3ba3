import { issueMachine } from '../packages/core/src/issue/issue-machine.ts';

const holdsSlot = { held: 'yes', kept_or_freed: 'yes, unless `GATE_KEEPS_SLOT=off`', none: 'no' };

/** Renders `docs/issue-machine.md`: the state machine of an issue as a chart and a table. */
export function printIssueMachine(): string {
  const rows = Object.entries(issueMachine);
  const moves = rows.flatMap(([from, { on }]) =>
    Object.entries(on).map(([trigger, to]) => `  ${from} --> ${to}: ${trigger}`),
  );
  const ends = rows.filter(([, { terminal }]) => terminal).map(([status]) => `  ${status} --> [*]`);
  const facts = rows.map(
    ([status, { slot, terminal, on }]) =>
      `| \`${status}\` | ${holdsSlot[slot]} | ${terminal ? 'yes' : 'no'} | ${Object.keys(on).join(', ') || '-'} |`,
  );
  return `<!-- Generated from packages/core/src/issue/issue-machine.ts by "npm run gen". -->

# The state machine of an issue

[states-and-the-gate.md](states-and-the-gate.md) explains the statuses and the gates.

\`\`\`mermaid
stateDiagram-v2
${[...moves, ...ends].join('\n')}
\`\`\`

| status | holds a slot | has ended | triggers |
|---|---|---|---|
${facts.join('\n')}
`;
}

import { parseArgs } from 'node:util';
import { attackNames } from './hostile-account/attack-messages.ts';
import { printFigures } from './hostile-account/figures.ts';
import { hangNames } from './hostile-account/hang-names.ts';
import { runSoak } from './hostile-account/run-soak.ts';

// npm run soak -- hostile-account --minutes 10 --restarts 20
// npm run soak -- hostile-account --workspaces-apart
// npm run soak -- hostile-account --minutes 1 --restarts 0 --attacks bodies,patches
// npm run soak -- hostile-account --attacks names
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    attacks: { type: 'string', default: `${attackNames.join()},names` },
    'workspaces-apart': { type: 'boolean', default: false },
    restarts: { type: 'string', default: '20' },
  },
});

const chosen = values.attacks.split(',');
const all: readonly string[] = [...attackNames, 'names'];
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no attack "${unknown[0]}": --attacks takes some of ${all.join()}.\n`);
  process.exit(2);
}

if (chosen.includes('names')) {
  const { figures, violations } = await hangNames();
  process.stdout.write(`\nSixty names that never answer\n\n${printFigures(figures)}`);
  for (const violation of violations) process.stdout.write(`\nVIOLATED: ${violation}\n`);
  if (violations.length > 0) process.exitCode = 1;
  if (chosen.length === 1) process.exit();
}

const { figures, attacks, violations } = await runSoak({
  minutes: Number(values.minutes),
  attacks: attackNames.filter((name) => chosen.includes(name)),
  restarts: Number(values.restarts),
  workspacesApart: values['workspaces-apart'],
  say: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(`\nWhat the attacker did\n\n${printFigures(attacks)}\nFigures\n\n${printFigures(figures)}`);
for (const violation of violations) process.stdout.write(`\nVIOLATED: ${violation}`);
process.stdout.write(violations.length === 0 ? '\nAll held.\n' : '\n');
process.exit(violations.length === 0 ? (process.exitCode ?? 0) : 1);

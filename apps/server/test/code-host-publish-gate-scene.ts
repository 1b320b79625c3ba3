import type { IssueWire } from '@sluice/core/issue';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { expect } from 'vitest';
import { approve, HOSTED, importToGate, registerHosted } from './code-host-scene.ts';
import type { HttpSession } from './http-session.ts';

export const WORKFLOW = '.github/workflows/ci.yml';

/** An issue whose plan changes a workflow, approved and at the gate before the push. */
export async function atPublishGate(host: FakeCodeHost, person: HttpSession): Promise<IssueWire> {
  await host.push(HOSTED, { by: 'ann', branch: 'main', files: { [WORKFLOW]: 'run: broken\n' } });
  const body = `in \`value.txt\` replace \`broken\` with \`fixed\`\nin \`${WORKFLOW}\` replace \`broken\` with \`fixed\`\n`;
  const number = host.openIssue(HOSTED, { title: 'Mend the workflow', body, by: 'ann' });
  const planned = await importToGate(person, await registerHosted(person), number);
  await approve(person, planned);
  const seen = await person.events(
    planned.id,
    (event) => event.type === 'issue.status' && event.data.stage === 'publish' && event.data.to === 'awaiting_approval',
  );
  expect(seen.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'awaiting_approval' } });
  return await person.issue(planned.id);
}

/** The writes of the service at the host. Only the sign-in may be among them before a person decides. */
export function written(host: FakeCodeHost): string[] {
  return host.requests.filter(({ write, path }) => write && !path.startsWith('/login')).map(({ path }) => path);
}

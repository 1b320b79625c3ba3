import { expect, it } from 'vitest';
import { ROLES } from '../apps/cli/src/command/members/roles.ts';
import { issueRights, roles } from '../apps/web/src/members/roles.ts';
import { roles as allRoles, issueActs } from '../packages/core/src/access/index.ts';

it('the console and the command know the roles of the server, and what each may do', () => {
  expect([roles, ROLES]).toEqual([allRoles, allRoles]);
  expect({ read: issueActs.read, ...issueRights }).toEqual(issueActs);
});

import type { AgentRole } from '@sluice/core';
import { coder } from './coder.ts';
import { planner } from './planner.ts';
import { reviewer } from './reviewer.ts';
import type { RoleDefinition } from './role-definition.ts';
import { triager } from './triager.ts';

/** The roles of the pipeline. */
export const roles: { readonly [Role in AgentRole]: RoleDefinition<Role> } = { triager, planner, coder, reviewer };

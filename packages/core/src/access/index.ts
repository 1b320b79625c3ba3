export { type Authorized, asAuthorized } from './authorized.ts';
export { type Caller, callerOf, limitedRole, type RoleReader, roleOf } from './caller.ts';
export { type IssueAct, includesRole, issueActs, type Role, roles } from './role.ts';
export { roleInsufficient } from './role-insufficient.ts';
export { neededOnRepo, type RoleNeeded } from './role-needed.ts';
export {
  includesScope,
  scopeInsufficient,
  scopeOf,
  scopeRoles,
  type TokenScope,
  tokenScopes,
} from './token-scope.ts';

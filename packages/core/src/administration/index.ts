export {
  disableUser,
  enableUser,
  endSessionsOf,
  removeSecondFactorsOf,
  revokeTokenOf,
  setOperator,
} from './administer-user.ts';
export { toUserAccountWire, type UserAccountWire, userAccountWire } from './user-account-wire.ts';

/** Example answers of the operations on members. */
export function memberExamples({ userId, at }: { readonly userId: string; readonly at: string }) {
  const member = {
    user_id: userId,
    name: 'Grace',
    email: null,
    codehost_login: 'grace',
    role: 'approver',
    origin: 'added',
    since: at,
  };
  return { 'repos.members': { items: [member] }, 'repos.addMember': member, 'repos.changeMember': member };
}

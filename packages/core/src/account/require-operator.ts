import { AppError } from '../error/app-error.ts';
import type { User } from './user.ts';

/** Checks that a user is an operator. @throws AppError `operator_required` */
export function requireOperator({ isOperator }: User): void {
  if (!isOperator) throw new AppError('operator_required');
}

import { AppError } from '../error/app-error.ts';
import type { User } from './user.ts';

/** @throws AppError `operator_required` */
export function requireOperator({ isOperator }: User): void {
  if (!isOperator) throw new AppError('operator_required');
}

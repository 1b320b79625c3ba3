export { AppError, type FieldFault, toAppError } from './app-error.ts';
export { type ErrorCode, errorCatalog } from './error-catalog.ts';
export { type ErrorKind, errorKinds } from './error-kind.ts';
export { isModelUnavailable } from './model-unavailable.ts';
export { remoteErrorCodes } from './remote-errors.ts';

export { guardedFiles } from './guarded-files.ts';

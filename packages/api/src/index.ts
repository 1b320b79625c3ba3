export type { ErrorCode } from '@sluice/core';
export type { ApiDeps, ApiLog, ApiOptions, HealthChecks } from './api-deps.ts';
export type { AppRouter } from './app-router.ts';
export { createPasswords } from './auth/passwords.ts';
export { type Api, createApi } from './create-api.ts';
export { createHttpServer } from './http/http-server.ts';
export { routeOf } from './http/route-of.ts';
export { openApiDocument } from './openapi/openapi-document.ts';
export type { OpenApiDocument } from './openapi/openapi-shape.ts';

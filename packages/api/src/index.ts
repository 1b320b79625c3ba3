export type { ErrorCode } from '@sluice/core';
export { type Api, createApi } from './create-api.ts';
export { createHttpServer } from './http/http-server.ts';
export { routeOf } from './http/route-name.ts';
export { createPasswords } from './login/passwords.ts';
export { openApiDocument } from './openapi/openapi-document.ts';
export type { OpenApiDocument } from './openapi/openapi-shape.ts';
export type { ApiDeps, ApiLog, ApiOptions, HealthChecks } from './service/api-deps.ts';
export type { AppRouter } from './trpc/app-router.ts';

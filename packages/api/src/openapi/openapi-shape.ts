/** The parts of an OpenAPI 3.1 document that are rewritten here. */
interface OpenApiMedia {
  schema?: Record<string, unknown>;
  example?: unknown;
}

export interface OpenApiHeader {
  description: string;
  schema: Record<string, unknown>;
}

export interface OpenApiResponse {
  /** Refers to a shared response, which has the other members. */
  $ref?: string;
  description?: string;
  headers?: Record<string, OpenApiHeader>;
  content?: Record<string, OpenApiMedia>;
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Record<string, unknown>[];
  requestBody?: { required?: boolean; content: Record<string, OpenApiMedia> };
  responses: Record<string, OpenApiResponse>;
}

export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, unknown>;
    responses: Record<string, OpenApiResponse>;
    securitySchemes: Record<string, unknown>;
  };
}

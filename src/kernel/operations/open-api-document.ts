import type { z } from 'zod';

/** The part of OpenAPI 3.1 that our operations need. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    /** Parameters that all operations of a service accept. */
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
};

export type OpenApiOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** Any one of them is enough; absent if no token is needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
};

export type OpenApiParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
};

export type OpenApiResponse = { readonly description: string; readonly content?: OpenApiContent };

export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export type JsonSchema = z.core.JSONSchema.BaseSchema;

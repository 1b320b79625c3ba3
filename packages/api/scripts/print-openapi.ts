// Prints the OpenAPI document, for `docs/openapi.json` and for whoever wants to generate a client from it.
import { openApiDocument } from '../src/openapi/openapi-document.ts';

process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);

export { type Authorization, type Authorize, type Operation } from "./authorize.js";
export { createHttpHandler, DEFAULT_HTTP_OPTIONS, type HttpHandler, type HttpOptions } from "./handler.js";
export { buildOpenApi } from "./openapi/openapi.js";
export { HTTP_ERROR_CODES, type HttpErrorCode, type Problem } from "./problem.js";

import type { jsonSchemaValidator, JsonSchemaType } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { runWithin } from "@pml/core";

const LONGEST_CHECK_MS = 1000;

/** Checks what a server answers against the schema that the same server gave, which may be made to take for ever. */
export function createBoundedValidator(): jsonSchemaValidator {
  const ajv = new AjvJsonSchemaValidator();
  return {
    getValidator<T>(schema: JsonSchemaType) {
      const validate = runWithin(LONGEST_CHECK_MS, () => ajv.getValidator<T>(schema));
      return (value: unknown) => {
        try {
          return runWithin(LONGEST_CHECK_MS, () => validate(value));
        } catch (error) {
          const reason = `it cannot be checked against its output schema: ${(error as Error).message}`;
          return { valid: false, data: undefined, errorMessage: reason } as const;
        }
      };
    },
  };
}

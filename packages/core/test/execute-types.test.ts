import type { DAGStructure } from "@pml/analyzer";
import type {
  ApprovalAnswer,
  ErrorAnswer,
  ExecuteAnswer,
  ExecuteRequest,
  Pml,
  SuccessAnswer,
  SuggestionsAnswer,
} from "@pml/core";
import { describe, expectTypeOf, it } from "vitest";

/** What code, a DAG or a named capability can come to. */
type RunAnswer = SuccessAnswer | ErrorAnswer | ApprovalAnswer;

// What is said here is checked by the compiler, with all other types.
const pml = { execute: () => Promise.resolve() } as unknown as Pml;
const dag: DAGStructure = { tasks: [] };

describe("the compiler knows what execute gives back", () => {
  it("for what is written in place", () => {
    expectTypeOf(() => pml.execute({ intent: "x" })).returns.resolves.toEqualTypeOf<SuggestionsAnswer>();
    expectTypeOf(() => pml.execute({ intent: "x", code: "1" })).returns.resolves.toEqualTypeOf<RunAnswer>();
    expectTypeOf(() => pml.execute({ intent: "x", dag })).returns.resolves.toEqualTypeOf<RunAnswer>();
    expectTypeOf(() => pml.execute({ capability: "a:b" })).returns.resolves.toEqualTypeOf<RunAnswer>();
    expectTypeOf(() => pml.execute({ capability: "a:b", args: {} })).returns.resolves.toEqualTypeOf<RunAnswer>();
    expectTypeOf(() => pml.execute({ intent: "x", context: {} })).returns.resolves.toEqualTypeOf<ExecuteAnswer>();
    expectTypeOf(() =>
      pml.execute({ intent: "x", code: "1", context: {} }),
    ).returns.resolves.toEqualTypeOf<RunAnswer>();
  });

  it("for values made elsewhere, and never knows less than what may be in them", () => {
    const perhapsContext = {} as { intent: string; context?: Record<string, unknown> };
    const perhapsCode = {} as { intent: string; code: string | undefined };
    const anything = {} as ExecuteRequest;
    expectTypeOf(() => pml.execute(perhapsContext)).returns.resolves.toEqualTypeOf<ExecuteAnswer>();
    expectTypeOf(() => pml.execute(perhapsCode)).returns.resolves.toEqualTypeOf<ExecuteAnswer>();
    expectTypeOf(() => pml.execute(anything)).returns.resolves.toEqualTypeOf<ExecuteAnswer>();
    const justIntent = {} as { intent: string };
    expectTypeOf(() => pml.execute(justIntent)).returns.resolves.toEqualTypeOf<SuggestionsAnswer>();
  });

  it("and refuses what cannot be meant", () => {
    expectTypeOf(pml.execute).toBeCallableWith({ intent: "x" });
    // @ts-expect-error two things to run
    expectTypeOf(pml.execute).toBeCallableWith({ intent: "x", code: "1", dag });
    // @ts-expect-error two things to run
    expectTypeOf(pml.execute).toBeCallableWith({ capability: "a:b", code: "1", intent: "x" });
    // @ts-expect-error code without what it is for
    expectTypeOf(pml.execute).toBeCallableWith({ code: "1" });
    // @ts-expect-error a context that is no object
    expectTypeOf(pml.execute).toBeCallableWith({ intent: "x", context: "y" });
  });

  it("of an answer, by its status", () => {
    expectTypeOf<Extract<ExecuteAnswer, { status: "success" }>>().toEqualTypeOf<SuccessAnswer>();
    expectTypeOf<Extract<ExecuteAnswer, { status: "error" }>>().toEqualTypeOf<ErrorAnswer>();
    expectTypeOf<Extract<ExecuteAnswer, { status: "approval_required" }>>().toEqualTypeOf<ApprovalAnswer>();
    expectTypeOf<Extract<ExecuteAnswer, { status: "suggestions" }>>().toEqualTypeOf<SuggestionsAnswer>();
  });
});

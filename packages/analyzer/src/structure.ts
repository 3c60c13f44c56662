/** The graph of what a piece of code may do: every branch, known before anything runs. */
export interface StaticStructure {
  readonly nodes: readonly StructureNode[];
  readonly edges: readonly StructureEdge[];
}

export type StructureNode = TaskNode | CapabilityNode | DecisionNode | ForkNode | JoinNode | LoopNode;

interface BaseNode {
  /** `n1`, `d1`, `f1`, `j1`, `l1` …: the same for the same code, whatever its layout and comments. */
  readonly id: string;
  /** Line of the agent's code, from 1. */
  readonly line: number;
  /** Runs only if one of these decisions went this way. Absent where nothing stands in the way. */
  readonly when?: readonly Guard[];
}

/** A way out of a decision. */
export interface Guard {
  readonly decision: string;
  readonly outcome: string;
}

export type Arguments = Readonly<Record<string, ArgumentValue>>;

interface CallNode extends BaseNode {
  /** What each field is filled with. For a pure operation: what each name in `code` stands for. */
  readonly arguments: Arguments;
  /** Parts of the input that have no field of their own: `tool(options)`, `tool({...rest})`. */
  readonly spread?: readonly ArgumentValue[];
  /** The expression that a name comes from which is only known at run time. */
  readonly computed?: string;
  /** Outcomes that `// @pml-branches` announces. */
  readonly branches?: readonly string[];
}

/** A call of a tool, or a pure operation such as `code:filter`. */
export interface TaskNode extends CallNode {
  readonly type: "task";
  /** `server:name`; `server:*` or `*` when the name is only known at run time, see `computed`. */
  readonly tool: string;
  readonly pure?: true;
  /** The tool is declared to change nothing. */
  readonly readOnly?: true;
  /** Source text of a pure operation. */
  readonly code?: string;
  /** The same with the results of calls inside it named by their node, so that it can be evaluated from `arguments`. */
  readonly standalone?: string;
}

export interface CapabilityNode extends CallNode {
  readonly type: "capability";
  /** Name as called, without its version: `fs:read_json`. `*` when it is only known at run time. */
  readonly capability: string;
  readonly version?: string;
  /** Set when the builder was told of a capability by that name. */
  readonly capabilityId?: string;
}

export type DecisionKind = "if" | "switch" | "ternary" | "and" | "or" | "nullish" | "catch";

export interface DecisionNode extends BaseNode {
  readonly type: "decision";
  readonly kind: DecisionKind;
  readonly condition: string;
  /** Every way out, in source order. */
  readonly outcomes: readonly string[];
  /** What the condition is made of. Absent for `catch`. */
  readonly test?: ArgumentValue;
  /** Of a switch: what each label but `default` compares with. Absent where one is not a literal. */
  readonly cases?: readonly Json[];
}

export type ForkMode = "all" | "allSettled" | "race" | "any" | "started";

export interface ForkNode extends BaseNode {
  readonly type: "fork";
  readonly mode: ForkMode;
}

export interface JoinNode extends BaseNode {
  readonly type: "join";
  readonly mode: ForkMode;
}

export type LoopKind =
  | "for"
  | "while"
  | "do-while"
  | "for-of"
  | "for-in"
  | "for-await"
  | "callback"
  | "recursion"
  | "deferred";

export interface LoopNode extends BaseNode {
  readonly type: "loop";
  readonly kind: LoopKind;
  /** Source text of what is walked over, or of the condition. */
  readonly condition: string;
  /** What is walked over. Inside the loop, a reference to this node is the current element; after it, the results. */
  readonly over?: ArgumentValue;
  /** What an iteration of a `map` returns. */
  readonly result?: ArgumentValue;
  /** Iterations overlap in time, as in `items.map(async …)`. */
  readonly concurrent?: true;
}

export type EdgeType = "sequence" | "conditional" | "provides" | "contains";

export interface StructureEdge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  /** Of a conditional edge: `"true"`, `"false"`, a case's label, `"default"`; `"ok"` and `"error"` around a catch. */
  readonly outcome?: string;
  /** Of a provides edge. The analyzer sees that data flows, not how much of the input it covers: core adds this. */
  readonly coverage?: "strict" | "partial" | "optional";
  /** The order comes from `// @pml-depends`. */
  readonly declared?: true;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type Path = readonly (string | number)[];

export type ArgumentValue = LiteralArgument | ReferenceArgument | ParameterArgument | ExpressionArgument;

export interface LiteralArgument {
  readonly type: "literal";
  readonly value: Json;
}

/** What a node returned, or a part of it. */
export interface ReferenceArgument {
  readonly type: "reference";
  readonly expression: string;
  readonly from: string;
  readonly path: Path;
  /** Written with `?.`: where a part is missing, the whole is undefined and nothing fails. */
  readonly optional?: true;
}

/** An input of the code: `args.name`, `context.name` or a free identifier. */
export interface ParameterArgument {
  readonly type: "parameter";
  /** `*` for the whole input object. */
  readonly parameterName: string;
  readonly path: Path;
  readonly optional?: true;
}

/** Anything else, with what it is made of. */
export interface ExpressionArgument {
  readonly type: "expression";
  readonly expression: string;
  /** Nodes whose results go into it. */
  readonly dependsOn: readonly string[];
  /** Parameters that go into it. */
  readonly parameters: readonly string[];
  /** Of an object written out in place. */
  readonly fields?: Arguments;
  /** Of an array written out in place. */
  readonly items?: readonly ArgumentValue[];
  /** Of text put together in place, as in `"/orders/" + id`: its parts, in order. */
  readonly text?: readonly ArgumentValue[];
  /** What the names in `standalone` stand for. */
  readonly arguments?: Arguments;
  /**
   * The same with the results of calls inside it named by their node, so that it can be evaluated from `arguments`
   * alone. Absent where that cannot be said: it uses a local function, or a name that is assigned to more than once.
   */
  readonly standalone?: string;
}

/** One use of a node's result. */
export interface DataFlow {
  readonly from: string;
  readonly to: string;
  /** Field of the input; `condition` of a decision; `over` of a loop. */
  readonly input: string;
  /** Part of the result that is used; absent when it goes through an expression. */
  readonly path?: Path;
}

/** What a `return` of the snippet gives back, and when. */
export interface Return {
  /** Absent for a `return` without a value. */
  readonly value?: ArgumentValue;
  readonly when?: readonly Guard[];
}

import type { AnyNode, Program } from "acorn";

import type { Catalog } from "../catalog.js";
import { RESERVED_PREFIX } from "../globals.js";
import { Inputs } from "../inputs.js";
import type { Scopes } from "../parse/scope.js";
import type { SourceText } from "../parse/source-text.js";
import { Reach } from "../permissions.js";
import { Sites } from "../rewrite/sites.js";
import { handOn, runCallback, UNSEEN_CALL } from "./callbacks.js";
import { CALLS } from "./calls.js";
import { CLASSES, evaluateClass } from "./classes.js";
import { DECISIONS } from "./decisions.js";
import { Environment } from "./environment.js";
import { EXPRESSIONS } from "./expressions.js";
import { Flow } from "./flow.js";
import { runLoop } from "./loop.js";
import { inScope, loseSight, type Machine, mixed, obstruct } from "./machine.js";
import { touchesTools } from "./reaches.js";
import { executeAll, STATEMENTS } from "./statements.js";
import { UNKNOWN, type Value } from "./values.js";

type Evaluate = (machine: Machine, node: AnyNode, awaited: boolean) => Value;
type Execute = (machine: Machine, node: AnyNode) => void;

const EVALUATE = { ...EXPRESSIONS, ...DECISIONS, ...CALLS, ...CLASSES, ClassDeclaration: evaluateClass } as Record<
  string,
  Evaluate
>;
const EXECUTE = STATEMENTS as Record<string, Execute>;

export interface Subject {
  readonly program: Program;
  readonly code: SourceText;
  readonly scopes: Scopes;
  readonly catalog: Catalog;
}

/** Runs the whole snippet on what is known of its values. */
export function runProgram({ program, code, scopes, catalog }: Subject): Machine {
  const machine = createMachine({ code, scopes, catalog });
  executeAll(machine, program.body);
  runUncalled(machine);
  return machine;
}

/** Functions that were seen as values and never called in sight may still be called by somebody. */
function runUncalled(machine: Machine): void {
  for (const [node, { path, point, called }] of machine.functions) {
    if (called || !touchesTools(machine, node)) continue;
    obstruct(machine, node, "a function that calls tools is used as a value");
    if (node.params.length > 0) loseSight(machine, node, UNSEEN_CALL);
    machine.flow.moveTo(point);
    inScope(machine, path, () => {
      runLoop(machine, { node, kind: "deferred", condition: "" }, () => {
        mixed(machine, runCallback(machine, { node, value: { kind: "function", node } }, []));
      });
    });
  }
}

function createMachine({ code, scopes, catalog }: Omit<Subject, "program">): Machine {
  const machine: Machine = {
    code,
    scopes,
    catalog,
    resultPrefix: /\b[nl]\d+\b/.test(code.text) ? `${RESERVED_PREFIX}_` : "",
    flow: new Flow(),
    environment: new Environment(),
    sites: new Sites(),
    inputs: new Inputs(),
    reach: new Reach(),
    liftables: [],
    fixed: new Set(),
    functions: new Map(),
    definitions: new Map(),
    initialisers: new Map(),
    results: new Map(),
    carried: new Map(),
    collected: new Map(),
    lists: new Map(),
    labels: new Map(),
    generators: new Set(),
    recursive: new Map(),
    active: [],
    activePaths: new Map(),
    jumps: [],
    attempts: [],
    obstacles: [],
    blindSpots: [],
    returned: [],
    returns: undefined,
    path: "",
    quiet: 0,
    calls: 0,
    traced: 0,
    evaluate: (node, awaited = false) => EVALUATE[node.type]?.(machine, node, awaited) ?? UNKNOWN,
    handOn: (term, to) => handOn(machine, term, to),
    execute: (statement) => EXECUTE[statement.type]?.(machine, statement),
  };
  return machine;
}

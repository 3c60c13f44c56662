import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Identifier } from "acorn";

import { lastAtMost } from "./source-text.js";

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

type CallNode = AnyNode & { type: "CallExpression" | "NewExpression" | "AwaitExpression" };

export interface Binding {
  readonly name: string;
  readonly kind: "var" | "let" | "const" | "function" | "class" | "param" | "catch";
  readonly at: number;
  /** Set for function declarations: they are callable before the line that declares them. */
  readonly declared?: FunctionNode;
  /** Something is stored into it in place: `x.y = …`, `x.push(…)`, `delete x.y`. */
  mutated: boolean;
  /** Assigned again after its declaration. */
  reassigned: boolean;
  /** Assigned inside a function that is not the one it belongs to: when, depends on calls. */
  writtenElsewhere: boolean;
  /** Where it is read. */
  readonly uses: number[];
}

export interface Scope {
  readonly owner: Scopes;
  readonly parent: Scope | undefined;
  readonly range: { readonly start: number; readonly end: number };
  /** Where `var` lands: a function or the program. */
  readonly isFunction: boolean;
  readonly names: Map<string, Binding>;
}

interface Declaration {
  readonly kind: Binding["kind"];
  readonly declared?: FunctionNode;
}

export interface Write {
  readonly at: number;
  readonly binding: Binding;
}

/** Which name means what, everywhere in the code. */
export class Scopes {
  readonly #bindings = new Map<Identifier, Binding>();
  readonly #all: Scope[] = [];
  readonly #references: { identifier: Identifier; scope: Scope }[] = [];
  readonly #writes: { identifier: Identifier; scope: Scope }[] = [];
  readonly #mutations: { identifier: Identifier; scope: Scope; at: number }[] = [];
  readonly #calls: CallNode[] = [];
  #callStarts: number[] = [];
  readonly #shorthand = new Set<Identifier>();
  #referenceStarts: number[] = [];
  #writeList: Write[] = [];
  #writeStarts: number[] = [];
  #namesArguments = false;
  #byPosition: Binding[] | undefined;
  #positions: number[] | undefined;
  readonly free: Identifier[] = [];
  /** Assignments to names that nothing declares. */
  readonly undeclaredWrites: Identifier[] = [];
  /** Names that code only asks the type of: they need not exist. */
  readonly asked: Set<Identifier> = new Set();
  /** Syntax that cannot run here. */
  readonly refused: AnyNode[] = [];

  bindingOf(identifier: Identifier): Binding | undefined {
    return this.#bindings.get(identifier);
  }

  isShorthand(identifier: Identifier): boolean {
    return this.#shorthand.has(identifier);
  }

  /** References inside a range, in source order. */
  referencesIn({ start, end }: { start: number; end: number }): Identifier[] {
    const found: Identifier[] = [];
    for (let i = lastAtMost(this.#referenceStarts, start - 1) + 1; i < this.#references.length; i++) {
      const { identifier } = this.#references[i] as { identifier: Identifier };
      if (identifier.start >= end) break;
      found.push(identifier);
    }
    return found;
  }

  writesIn({ start, end }: { start: number; end: number }): Write[] {
    const from = lastAtMost(this.#writeStarts, start - 1) + 1;
    return this.#writeList.slice(from, lastAtMost(this.#writeStarts, end - 1) + 1);
  }

  /** Calls and awaits inside a range, in source order, outer before inner. */
  callsIn({ start, end }: { start: number; end: number }): CallNode[] {
    const from = lastAtMost(this.#callStarts, start - 1) + 1;
    return this.#calls.slice(from, lastAtMost(this.#callStarts, end - 1) + 1);
  }

  /** Whether code in a range names `arguments`, through which it gets at what it was called with. */
  usesArguments(range: { start: number; end: number }): boolean {
    return this.#namesArguments && this.referencesIn(range).some(({ name }) => name === "arguments");
  }

  /** Bindings whose declaration stands inside a range. */
  declaredIn({ start, end }: { start: number; end: number }): Binding[] {
    this.#byPosition ??= this.declared().sort((a, b) => a.at - b.at);
    const positions = (this.#positions ??= this.#byPosition.map(({ at }) => at));
    return this.#byPosition.slice(lastAtMost(positions, start - 1) + 1, lastAtMost(positions, end - 1) + 1);
  }

  /** Everything that the code declares. */
  declared(): Binding[] {
    return this.#all.flatMap(({ names }) => [...names.values()]);
  }

  open(range: { start: number; end: number }, parent: Scope | undefined, isFunction = false): Scope {
    const scope: Scope = { owner: this, parent, range, isFunction, names: new Map() };
    this.#all.push(scope);
    return scope;
  }

  declare(scope: Scope, identifier: Identifier, { kind, declared }: Declaration): void {
    const target = kind === "var" ? functionScope(scope) : scope;
    let binding = target.names.get(identifier.name);
    if (!binding) {
      const { name, start: at } = identifier;
      binding = {
        name,
        kind,
        at,
        mutated: false,
        reassigned: false,
        writtenElsewhere: false,
        uses: [],
        ...(declared && { declared }),
      };
      target.names.set(identifier.name, binding);
    }
    this.#bindings.set(identifier, binding);
  }

  refer(scope: Scope, identifier: Identifier): void {
    this.#references.push({ identifier, scope });
  }

  write(scope: Scope, identifier: Identifier): void {
    this.#writes.push({ identifier, scope });
  }

  mutate(scope: Scope, target: AnyNode, at: number): void {
    let root = target;
    while (root.type === "MemberExpression") root = root.object;
    if (root.type === "Identifier") this.#mutations.push({ identifier: root, scope, at });
  }

  call(node: CallNode): void {
    this.#calls.push(node);
  }

  shorthand(identifier: Identifier): void {
    this.#shorthand.add(identifier);
  }

  /** Finds what each name means, once all have been seen. */
  resolve(): this {
    for (const { identifier, scope } of this.#references) {
      const binding = find(scope, identifier.name);
      if (binding) {
        this.#bindings.set(identifier, binding);
        binding.uses.push(identifier.start);
      } else {
        this.free.push(identifier);
        this.#namesArguments ||= identifier.name === "arguments";
      }
    }
    for (const { identifier, scope } of this.#writes) {
      const binding = find(scope, identifier.name);
      if (!binding) {
        this.undeclaredWrites.push(identifier);
        continue;
      }
      binding.reassigned = true;
      binding.writtenElsewhere ||= isElsewhere(scope, identifier.name);
      this.#bindings.set(identifier, binding);
      this.#writeList.push({ at: identifier.start, binding });
    }
    for (const { identifier, scope, at } of this.#mutations) {
      const binding = find(scope, identifier.name);
      if (!binding) continue;
      binding.mutated = true;
      this.#writeList.push({ at, binding });
    }
    this.#references.sort((a, b) => a.identifier.start - b.identifier.start);
    this.#referenceStarts = this.#references.map(({ identifier }) => identifier.start);
    this.#writeList.sort((a, b) => a.at - b.at);
    this.#writeStarts = this.#writeList.map(({ at }) => at);
    this.#calls.sort((a, b) => a.start - b.start || b.end - a.end);
    this.#callStarts = this.#calls.map(({ start }) => start);
    return this;
  }
}

function find(scope: Scope | undefined, name: string): Binding | undefined {
  for (let at = scope; at; at = at.parent) {
    const binding = at.names.get(name);
    if (binding) return binding;
  }
  return undefined;
}

/** Whether a name is used in another function than the one that declares it. */
function isElsewhere(scope: Scope, name: string): boolean {
  return functionScope(scope) !== functionScope(scopeOf(scope, name));
}

function scopeOf(scope: Scope, name: string): Scope {
  let at = scope;
  while (!at.names.has(name) && at.parent) at = at.parent;
  return at;
}

function functionScope(scope: Scope): Scope {
  let at = scope;
  while (!at.isFunction && at.parent) at = at.parent;
  return at;
}

import { Parser } from "acorn";

/**
 * acorn looks for a name that is declared twice in arrays, from front to back. At the top level of a long snippet these
 * hold thousands of names, so that each declaration would cost as much as there are others.
 */
class NameList extends Array<string> {
  readonly #known = new Set<string>();

  override push(name: string): number {
    this.#known.add(name);
    return super.push(name);
  }

  /** acorn only asks whether it is there. */
  override indexOf(name: string): number {
    return this.#known.has(name) ? 0 : -1;
  }
}

interface NameScope {
  var: string[];
  lexical: string[];
  functions: string[];
}

/** The part of acorn's scopes that is not in its types. */
interface ScopeStack {
  scopeStack: NameScope[];
  enterScope(flags: number): void;
}

type Extension = NonNullable<Parameters<typeof Parser.extend>[0]>;

const quickTopLevel: Extension = (Base) => {
  const Scoped = Base as unknown as new (...inputs: unknown[]) => ScopeStack;
  class QuickParser extends Scoped {
    override enterScope(flags: number): void {
      super.enterScope(flags);
      const [top, inner] = this.scopeStack;
      if (top && !inner)
        Object.assign(top, { var: new NameList(), lexical: new NameList(), functions: new NameList() });
    }
  }
  return Object.assign(QuickParser, Base) as unknown as typeof Parser;
};

export const QuickParser: typeof Parser = Parser.extend(quickTopLevel);

import * as fc from "fast-check";

/**
 * Agent code made at random: every construct that the instrumentation rewrites, nested in each other. Tools answer as
 * `recordRun` does; `mcp.t.fail` fails. Loops are short and recursion is shallow, so every program ends. `straight` code
 * keeps to what a DAG has a chance to say.
 */
export function programs({ straight = false }: { straight?: boolean } = {}): fc.Arbitrary<string> {
  return fc.gen().map((choose) => {
    const program = new Program((below) => choose(fc.nat, { max: below - 1 }), straight);
    return program.write();
  });
}

const TOOLS = ["t.a", "t.b", "t.fail", `["x-y"]["z"]`, "u.c"];

class Program {
  readonly #pick: (below: number) => number;
  readonly #straight: boolean;
  readonly #functions: string[] = [];
  #names = 0;
  #budget = 24;

  constructor(pick: (below: number) => number, straight: boolean) {
    this.#pick = pick;
    this.#straight = straight;
  }

  write(): string {
    const helpers = Array.from({ length: this.#straight ? 0 : this.#pick(3) }, () => this.#helper());
    const body = this.#block(["seed"], { depth: 0, inLoop: false });
    const order = this.#pick(2) === 0 ? [...helpers, ...body] : [...helpers.filter(isHoisted), ...body];
    const late = order.length === helpers.length + body.length ? [] : helpers.filter((helper) => !isHoisted(helper));
    return ["const seed = await mcp.t.a({ first: true });", ...late, ...order, `return { seed };`].join("\n");
  }

  #helper(): string {
    const name = this.#name("help");
    const scope = ["input", "seed"];
    const call = this.#call(scope);
    const forms = [
      () =>
        `async function ${name}(input) {\n${this.#block(scope, { depth: 2, inLoop: false }).join("\n")}\nreturn input;\n}`,
      () => `const ${name} = async (input) => ${call};`,
      () =>
        `const ${name} = async ({ items, value }, extra = 1) =>\n  ({ deep: await ${this.#call(["seed"])}, items, value, extra });`,
      () => `function ${name}(input) { return input?.ok ? ${call} : input; }`,
      () =>
        `async function ${name}(input, left = 2) { if (left <= 0) return input; await ${call}; return ${name}(input, left - 1); }`,
      () =>
        `async function* ${name}Each(input) { for (const i of input.items) yield await ${call}; }\nasync function ${name}(input) { let last = input; for await (const each of ${name}Each(input)) last = each; return last; }`,
    ];
    const text = this.#oneOf(forms)();
    this.#functions.push(name);
    return text;
  }

  #block(outer: readonly string[], place: { depth: number; inLoop: boolean }): string[] {
    const scope = [...outer];
    return Array.from({ length: 1 + this.#pick(4) }, () => this.#statement(scope, place)).filter((line) => line !== "");
  }

  #statement(scope: string[], place: { depth: number; inLoop: boolean }): string {
    if (this.#budget-- <= 0) return "";
    const inner = { ...place, depth: place.depth + 1 };
    if (this.#straight)
      return this.#oneOf([...this.#plain(scope), ...(place.depth < 2 ? this.#branches(scope, inner) : [])])();
    const nested = place.depth < 3 ? this.#nested(scope, inner) : [];
    return this.#oneOf([...this.#simple(scope, place), ...this.#simple(scope, place), ...nested])();
  }

  #plain(scope: string[]): (() => string)[] {
    const declare = (text: string): string => {
      const name = this.#name("v");
      scope.push(name);
      return `const ${name} = ${text};`;
    };
    return [
      () => declare(`await ${this.#call(scope)}`),
      () => declare(`${this.#test(scope)} ? await ${this.#call(scope)} : ${this.#result(scope)}`),
      () => declare(`${this.#result(scope)}.missing ?? await ${this.#call(scope)}`),
      () => declare(this.#operation(scope)),
      () => `await Promise.all([${this.#call(scope)}, ${this.#call(scope)}, ${this.#call(scope)}]);`,
      () =>
        `for (const item of ${this.#result(scope)}.items) await mcp.t.b({ item, with: ${this.#result(scope)}.value });`,
      () => `await Promise.all(${this.#result(scope)}.items.map(async (item) => mcp.t.a({ item })));`,
      () => {
        const names = [this.#name("p"), this.#name("v")];
        const text = `const ${names[0]} = ${this.#call(scope)};\nawait mcp.u.c({});\nconst ${names[1]} = await ${names[0]};`;
        scope.push(names[1] as string);
        return text;
      },
    ];
  }

  #branches(scope: string[], place: { depth: number; inLoop: boolean }): (() => string)[] {
    const block = (): string => `{\n${this.#block(scope, place).join("\n")}\n}`;
    return [
      () => `if (${this.#test(scope)}) ${block()}`,
      () => `if (${this.#test(scope)}) ${block()} else ${block()}`,
      () => `if (${this.#test(scope)}) return { early: ${this.#result(scope)}.value };`,
      () =>
        `switch (${this.#result(scope)}.value) {\ncase 1: ${block()} break;\ncase 2: ${block()} break;\ndefault: ${block()}\n}`,
    ];
  }

  #simple(scope: string[], { inLoop, depth }: { depth: number; inLoop: boolean }): (() => string)[] {
    const declare = (text: string): string => {
      const name = this.#name("v");
      scope.push(name);
      return `const ${name} = ${text};`;
    };
    return [
      () => declare(`await ${this.#call(scope)}`),
      () => declare(this.#operation(scope)),
      () => `await ${this.#call(scope)}`,
      () => declare(`${this.#test(scope)} ? await ${this.#call(scope)} : ${this.#result(scope)}`),
      () => declare(`(${this.#test(scope)} && await ${this.#call(scope)}) || ${this.#result(scope)}`),
      () => declare(`${this.#result(scope)}.missing ?? await ${this.#call(scope)}`),
      () => {
        const name = this.#name("let");
        return `let ${name} = ${this.#pick(2) === 0 ? "null" : this.#result(scope)};\n${name} ${this.#oneOf(["||=", "??=", "&&="])} await ${this.#call(scope)};`;
      },
      () => {
        const [first, second] = [this.#name("p"), this.#name("v")];
        const started = `const ${first} = ${this.#call(scope)}.catch(() => null);\n(${this.#operation(scope)});`;
        scope.push(second);
        return `${started}\nconst ${second} = (await ${first}) ?? seed;`;
      },
      () => {
        const [first, second] = [this.#name("v"), this.#name("v")];
        const all = `await Promise.all([${this.#call(scope)}, ${this.#call(scope)}])`;
        scope.push(first, second);
        return `const [${first}, ${second}] = ${all};`;
      },
      () =>
        declare(
          `(await Promise.all(${this.#result(scope)}.items.map(async (item, i) => ${this.#call([...scope, "{ item, i, ok: true, items: [] }"])})))[0] ?? seed`,
        ),
      () =>
        declare(
          `(await Promise.allSettled(${this.#result(scope)}.items.map((item) => { return ${this.#call(scope)}; })))[0]?.value ?? seed`,
        ),
      () => declare(`await ${this.#call(scope)}.then((got) => ${this.#call([...scope, "got"])}, () => seed)`),
      () => {
        const name = this.#name("v");
        const text = `const { items: [${name}x = 0] = [], ok: ${name}ok } = await ${this.#call(scope)};`;
        return text;
      },
      ...(this.#functions.length > 0
        ? [
            () => declare(`(await ${this.#oneOf(this.#functions)}(${this.#result(scope)})) ?? seed`),
            () =>
              declare(
                `(await Promise.all(seed.items.map(() => ${this.#result(scope)}).map(${this.#oneOf(this.#functions)})))[1] ?? seed`,
              ),
          ]
        : []),
      ...(inLoop ? [() => `if (${this.#test(scope)}) ${this.#oneOf(["break", "continue"])};`] : []),
      ...(depth > 0
        ? [
            () => `if (${this.#test(scope)}) return ${this.#result(scope)};`,
            () => `if (${this.#test(scope)}) throw new Error("made " + ${this.#result(scope)}.value);`,
          ]
        : []),
    ];
  }

  #nested(scope: string[], place: { depth: number; inLoop: boolean }): (() => string)[] {
    const block = (more: readonly string[] = [], inLoop = place.inLoop): string =>
      `{\n${this.#block([...scope, ...more], { ...place, inLoop }).join("\n")}\n}`;
    return [
      () => `if (${this.#test(scope)}) ${block()}`,
      () => `if (${this.#test(scope)}) ${block()} else ${block()}`,
      () => `for (const item of ${this.#result(scope)}.items) ${block([], true)}`,
      () => `for (const item of ${this.#result(scope)}.items) await ${this.#call(scope)};`,
      () => `for (let i = 0; i < 3; i++) ${block([], true)}`,
      () => {
        const name = this.#name("n");
        return `let ${name} = 0;\nwhile (${name}++ < 2 && (await ${this.#call(scope)}).value) ${block([], true)}`;
      },
      () => {
        const name = this.#name("n");
        return `let ${name} = 2;\ndo ${block([], true)} while (${name}-->0);`;
      },
      () => `switch (${this.#result(scope)}.value % 3) {\n${this.#cases(scope, place)}\n}`,
      () => `try ${block()} catch (error) ${block()}`,
      () => `try ${block()} catch { await ${this.#call(scope)} } finally ${block()}`,
      () =>
        `outer: for (const a of [1, 2]) {\nfor (const b of [1, 2]) {\nif (${this.#test(scope)}) ${this.#oneOf(["continue", "break"])} outer;\nawait ${this.#call(scope)};\n}\n}`,
    ];
  }

  #cases(scope: string[], place: { depth: number; inLoop: boolean }): string {
    const body = (): string => this.#block(scope, { ...place, inLoop: false }).join("\n");
    const stop = (): string => (this.#pick(2) === 0 ? "break;" : "");
    const cases = [`case 0: {\n${body()}\n}\n${stop()}`, "case 1:", `case 2: {\n${body()}\n}\n${stop()}`];
    return [
      ...cases.slice(this.#pick(3)),
      ...(this.#pick(2) === 0 ? [`default: await ${this.#call(scope)}`] : []),
    ].join("\n");
  }

  #call(scope: readonly string[]): string {
    const result = this.#result(scope);
    const field = this.#oneOf([
      () => `"text"`,
      () => `${result}.value`,
      () => `\`at \${${result}.value}\``,
      () => `[${result}.ok, -1]`,
      () => `{ nested: ${result}.items.length, list: ${this.#operation(scope)} }`,
    ])();
    return `mcp${this.#oneOf(TOOLS.map((tool) => (tool.startsWith("[") ? tool : `.${tool}`)))}(${this.#oneOf([`{ in: ${field} }`, `{ ...${result}, in: ${field} }`, "", result])})`;
  }

  #operation(scope: readonly string[]): string {
    const result = this.#result(scope);
    return this.#oneOf([
      `Object.assign({ ok: true, items: [], value: 1 }, { items: ${result}.items.filter((x) => x > 1).map((x) => x * 2) })`,
      `JSON.parse(JSON.stringify(${result}))`,
      `{ ok: ${result}.items.some((x) => x === 2), items: ${result}.items.slice(1), value: Math.max(1, ${result}.items.length) }`,
      `{ ok: false, items: [${result}.text?.trim().length], value: 2, eval: "import('x') --> eval(1)" }`,
    ]);
  }

  #test(scope: readonly string[]): string {
    const result = this.#result(scope);
    return this.#oneOf([
      `${result}.ok`,
      `${result}.value > 2`,
      `!${result}.ok`,
      `${result}.items.includes(1)`,
      `(seed.ok, ${result}.ok)`,
    ]);
  }

  #result(scope: readonly string[]): string {
    const name = this.#oneOf(scope);
    return name.startsWith("{") ? `(${name})` : name;
  }

  #oneOf<Value>(options: readonly Value[]): Value {
    return options[this.#pick(options.length)] as Value;
  }

  #name(prefix: string): string {
    return `${prefix}${++this.#names}`;
  }
}

function isHoisted(helper: string): boolean {
  return helper.startsWith("async function") || helper.startsWith("function");
}

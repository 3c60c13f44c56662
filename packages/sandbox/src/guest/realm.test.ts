import { spawnSync } from "node:child_process";

import { describe, expect, it } from "vitest";

/** In a process of its own: a lockdown cannot be undone. */
function runLocked(code: string, env: NodeJS.ProcessEnv = {}): string {
  const realm = new URL("./realm.ts", import.meta.url).href;
  const script = `import { writeSync } from "node:fs"; import { lockRealm } from "${realm}";
    lockRealm(); const say = (value) => writeSync(1, String(value)); ${code}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return stdout || stderr;
}

describe("a locked realm", () => {
  it("has nothing of Node in its global object, should code ever get there", () => {
    const names = "process require Buffer fetch setTimeout setImmediate queueMicrotask WebAssembly performance console";
    expect(runLocked(`say("${names}".split(" ").filter((name) => name in globalThis).join())`)).toBe("");
  });

  it("has frozen intrinsics", () => {
    expect(runLocked("say([Object, Array, Promise, Map].every((each) => Object.isFrozen(each.prototype)))")).toBe(
      "true",
    );
  });

  it("is not weakened by the environment", () => {
    const weak = {
      LOCKDOWN_ERROR_TAMING: "unsafe",
      LOCKDOWN_EVAL_TAMING: "unsafe-eval",
      LOCKDOWN_HARDEN_TAMING: "unsafe",
    };
    expect(
      runLocked("say(Object.isFrozen(Array.prototype) + ' ' + (new Error('x').stack || 'no stack'))", weak),
    ).toMatch(/^true/);
    expect(runLocked("say(new Compartment().evaluate('new Error().stack') === '')", weak)).toBe("true");
  });

  it("lets everyday code write names that prototypes have", () => {
    expect(runLocked("const counts = {}; counts.constructor = 1; counts.toString = 2; say(Object.keys(counts))")).toBe(
      "constructor,toString",
    );
  });
});

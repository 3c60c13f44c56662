/**
 * Where instrumented code reports to. The host that runs it provides one under the name `__pmlHost`. With the node comes
 * the iteration: the turns of the loops and repeated calls around it, outermost first, from 0; a negative number at the
 * end where the place was reached before in the same turn. The two together are unique in a run.
 */
export interface ProbeHost {
  /** The call of a tool or capability that comes next, in the same turn, belongs to this node. */
  announce(node: string | undefined, iteration: readonly number[]): void;
  decision(node: string | undefined, outcome: string, iteration: readonly number[]): void;
  /**
   * Which way a decision is to go, whatever the code would have chosen; without an answer, as it would have. `decision`
   * then reports the way it went: not every way can be chosen, as what failed cannot be made to succeed.
   */
  choose?(node: string | undefined, iteration: readonly number[]): string | undefined;
  /** A pure operation begins; what is returned is handed back when it has ended. */
  start(node: string | undefined, operation: string, iteration: readonly number[]): number;
  end(token: number): void;
}

/**
 * Makes what instrumented code calls at each site: a scope of the code while it runs. A loop's iteration and a call of a
 * local function open a scope of their own, so that the same place in the code can stand for several nodes, and
 * overlapping iterations are told apart. `targets` says which node, or which scope, each site stands for.
 *
 *     call, start, mark   return the inputs of the call that comes next
 *     end, decide, present, select, match, done   return the value they are given, unless the host chose another way
 *     passed, done   the end of a `try`; fails there if the host chose that
 *     turn, enter   open a scope
 *     bind   wraps a function or tool that somebody else calls
 *
 * It is text and not a function, as it becomes part of other code: what builds this package, or the host's, must not
 * change it.
 */
export const PROBE: string = `(host, targets) => {
  let entering, selecting, token = 0;
  const CHOSEN = {};
  const open = (path, iteration) => {
    const counts = {};
    const count = (site) => (counts[site] = (counts[site] ?? -1) + 1);
    const again = (times) => (times === 0 ? iteration : [...iteration, -times]);
    const announce = (site, turn) => {
      const target = targets[path + site];
      if (target?.endsWith("/")) entering = { path: target, iteration: turn };
      else host.announce(target, turn);
    };
    const start = (site, operation) => host.start(targets[path + site], operation, again(count(site)));
    const chose = (site, outcome) => host.decision(targets[path + site], outcome, iteration);
    const wish = (site) => host.choose?.(targets[path + site], iteration);
    const test = (site, natural, value) => {
      const wished = wish(site);
      const outcome = wished === "true" || wished === "false" ? wished : natural;
      chose(site, outcome);
      return outcome === natural ? value : outcome === "true" || undefined;
    };
    const passed = (site) => {
      if (wish(site) === "error") throw new Error("A failure that was chosen, to see what follows it.");
      chose(site, "ok");
    };
    const probe = {
      call: (site, ...inputs) => {
        const times = count(site);
        const isRecursion = path !== "" && path.startsWith(targets[path + site] ?? "/");
        announce(site, isRecursion ? [...iteration, times] : again(times));
        return inputs;
      },
      start: (site, operation, ...inputs) => ((token = start(site, operation)), inputs),
      mark: (site, operation, ...inputs) => (host.end(start(site, operation)), inputs),
      end: (value) => (host.end(token), value),
      decide: (site, value) => test(site, value ? "true" : "false", value),
      present: (site, value) => test(site, value == null ? "false" : "true", value),
      done: (site, value) => (passed(site), value),
      passed,
      chose,
      select: (site, value) => {
        selecting = { probe, label: wish(site) };
        return selecting.label === undefined ? value : CHOSEN;
      },
      match: (label, value) => (selecting?.probe === probe && selecting.label === label ? CHOSEN : value),
      selected: (site, outcome) => {
        if (selecting?.probe === probe) chose(site, outcome);
        selecting = undefined;
      },
      turn: (site) => open(path + site + "/", [...iteration, count(site)]),
      enter: (site) => {
        const own = ":" + site + "/";
        const told = entering?.path.endsWith(own) ? entering : undefined;
        entering = undefined;
        return told ? open(told.path, told.iteration) : open(path + own, [...iteration, count(site)]);
      },
      bind: (site, callback) => (...inputs) => (announce(site, [...iteration, count(site)]), callback(...inputs)),
    };
    return probe;
  };
  return open("", []);
}`;

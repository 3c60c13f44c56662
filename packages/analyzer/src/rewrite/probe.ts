/**
 * Where instrumented code reports to. The host that runs it provides one under the name `__pmlHost`. With the node comes
 * the iteration: the turns of the loops and repeated calls around it, outermost first, from 0; a negative number at the
 * end where the place was reached before in the same turn. The two together are unique in a run.
 */
export interface ProbeHost {
  /** The call of a tool or capability that comes next, in the same turn, belongs to this node. */
  announce(node: string | undefined, iteration: readonly number[]): void;
  decision(node: string | undefined, outcome: string, iteration: readonly number[]): void;
  /** A pure operation begins; what is returned is handed back when it has ended. */
  start(node: string | undefined, operation: string, iteration: readonly number[]): number;
  end(token: number): void;
}

/**
 * What instrumented code calls at each site: a scope of the code while it runs. A loop's iteration and a call of a
 * local function open a scope of their own, so that the same place in the code can stand for several nodes, and
 * overlapping iterations are told apart.
 */
export interface Probe {
  call(site: number, ...inputs: unknown[]): unknown[];
  start(site: number, operation: string, ...inputs: unknown[]): unknown[];
  end<Value>(value: Value): Value;
  /** A pure operation whose end cannot be seen. */
  mark(site: number, operation: string, ...inputs: unknown[]): unknown[];
  decide<Value>(site: number, value: Value): Value;
  present<Value>(site: number, value: Value): Value;
  select<Value>(site: number, value: Value): Value;
  selected(site: number, outcome: string): void;
  chose(site: number, outcome: string): void;
  turn(site: number): Probe;
  enter(site: number): Probe;
  bind(site: number, callback: (...inputs: unknown[]) => unknown): (...inputs: unknown[]) => unknown;
}

/**
 * Its text becomes the first line of instrumented code, so it uses nothing from outside itself. `targets` says which
 * node, or which scope, each site stands for.
 */
export function createProbe(host: ProbeHost, targets: Readonly<Record<string, string>>): Probe {
  let entering: { path: string; iteration: readonly number[] } | undefined;
  let selecting: Probe | undefined;
  let token = 0;
  const open = (path: string, iteration: readonly number[]): Probe => {
    const counts: Record<number, number> = {};
    const count = (site: number): number => (counts[site] = (counts[site] ?? -1) + 1);
    const target = (site: number): string | undefined => targets[path + site];
    const announce = (site: number, turn: readonly number[]): void => {
      const aim = target(site);
      if (aim?.endsWith("/")) entering = { path: aim, iteration: turn };
      else host.announce(aim, turn);
    };
    const start = (site: number, operation: string): number => host.start(target(site), operation, again(count(site)));
    const again = (times: number): readonly number[] => (times === 0 ? iteration : [...iteration, -times]);
    const probe: Probe = {
      call: (site, ...inputs) => {
        const times = count(site);
        const isRecursion = path !== "" && path.startsWith(target(site) ?? "/");
        announce(site, isRecursion ? [...iteration, times] : again(times));
        return inputs;
      },
      start: (site, operation, ...inputs) => ((token = start(site, operation)), inputs),
      end: (value) => (host.end(token), value),
      mark: (site, operation, ...inputs) => (host.end(start(site, operation)), inputs),
      decide: (site, value) => (probe.chose(site, value ? "true" : "false"), value),
      present: (site, value) => (probe.chose(site, value == null ? "false" : "true"), value),
      select: (_site, value) => ((selecting = probe), value),
      selected: (site, outcome) => {
        if (selecting === probe) probe.chose(site, outcome);
        selecting = undefined;
      },
      chose: (site, outcome) => host.decision(target(site), outcome, iteration),
      turn: (site) => open(`${path}${site}/`, [...iteration, count(site)]),
      enter: (site) => {
        const own = `:${site}/`;
        const told = entering?.path.endsWith(own) ? entering : undefined;
        entering = undefined;
        return told ? open(told.path, told.iteration) : open(path + own, [...iteration, count(site)]);
      },
      bind:
        (site, callback) =>
        (...inputs) => (announce(site, [...iteration, count(site)]), callback(...inputs)),
    };
    return probe;
  };
  return open("", []);
}

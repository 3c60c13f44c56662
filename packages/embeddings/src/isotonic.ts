export interface Step {
  /** Where the step lies: the mean of the points it covers. */
  at: number;
  value: number;
  weight: number;
}

/** The best never-falling steps through the points: pool adjacent violators (Ayer et al., 1955). */
export function fitIsotonic(points: readonly { at: number; value: number }[]): Step[] {
  const steps: Step[] = [];
  for (const step of groupEqual(points)) {
    steps.push(step);
    while (violates(steps)) {
      const right = steps.pop() as Step;
      const left = steps.pop() as Step;
      steps.push(pool(left, right));
    }
  }
  return steps;
}

/** Points at one place are one step from the start: otherwise their order in the input would decide. */
function groupEqual(points: readonly { at: number; value: number }[]): Step[] {
  const groups: Step[] = [];
  for (const { at, value } of [...points].sort((a, b) => a.at - b.at || a.value - b.value)) {
    const last = groups.at(-1);
    if (last?.at === at) groups[groups.length - 1] = { ...pool(last, { at, value, weight: 1 }), at };
    else groups.push({ at, value, weight: 1 });
  }
  return groups;
}

function violates(steps: readonly Step[]): boolean {
  const [left, right] = [steps.at(-2), steps.at(-1)];
  return left !== undefined && right !== undefined && left.value >= right.value;
}

function pool(left: Step, right: Step): Step {
  const weight = left.weight + right.weight;
  return {
    at: (left.at * left.weight + right.at * right.weight) / weight,
    value: (left.value * left.weight + right.value * right.weight) / weight,
    weight,
  };
}

import type { Analysis, ArgumentValue, StructureEdge, StructureNode } from "../src/index.js";

/**
 * An analysis as lines a person can write down and check: nodes, then edges, then parameters.
 *
 *     n1 fs:read path="a.json" mode=$mode text=n2.content url=(`…`)<n1 $host>
 *     d1 if file.exists
 *     l1 for-of items
 *     n1 > n2            sequence
 *     d1 -true> n2       conditional
 *     l1 [n2             contains
 *     n1 => n2           provides
 *     path: string       required
 *     limit? = 10: number
 */
export function writeDown({ structure, parameters, permissions }: Analysis): string[] {
  const properties = Object.entries(parameters.properties ?? {});
  return [
    ...structure.nodes.map(writeNode),
    ...structure.edges.map(writeEdge),
    ...properties.map(([name, { type, default: value }]) => {
      const isRequired = parameters.required?.includes(name);
      const preset = value === undefined ? "" : ` = ${JSON.stringify(value)}`;
      return `${name}${isRequired ? "" : "?"}${preset}${type === undefined ? "" : `: ${String(type)}`}`;
    }),
    ...(parameters["additionalProperties"] === false ? [] : ["..."]),
    ...permissions.computed.map((name) => `computed ${name}`),
  ];
}

function writeNode(node: StructureNode): string {
  switch (node.type) {
    case "task":
    case "capability": {
      const name = node.type === "task" ? node.tool : `cap ${node.capability}${node.version ? `@${node.version}` : ""}`;
      const fields = Object.entries(node.arguments).map(([field, value]) => ` ${field}=${writeValue(value)}`);
      const spread = (node.spread ?? []).map((value) => ` ...${writeValue(value)}`);
      return `${node.id} ${name}${fields.join("")}${spread.join("")}`;
    }
    case "decision":
      return `${node.id} ${node.kind} ${node.condition}`.trimEnd();
    case "loop":
      return `${node.id} ${node.concurrent ? "concurrent " : ""}${node.kind} ${node.condition}`.trimEnd();
    default:
      return `${node.id} ${node.type} ${node.mode}`;
  }
}

function writeValue(value: ArgumentValue): string {
  switch (value.type) {
    case "literal":
      return JSON.stringify(value.value);
    case "reference":
      return [value.from, ...value.path].join(".");
    case "parameter":
      return [`$${value.parameterName}`, ...value.path].join(".");
    case "expression": {
      const sources = [...value.dependsOn, ...value.parameters.map((name) => `$${name}`)];
      return `(${value.expression})<${sources.join(" ")}>`;
    }
  }
}

function writeEdge({ from, to, type, outcome }: StructureEdge): string {
  switch (type) {
    case "conditional":
      return `${from} -${outcome}> ${to}`;
    case "contains":
      return `${from} [${to}`;
    case "provides":
      return `${from} => ${to}`;
    default:
      return `${from} > ${to}`;
  }
}

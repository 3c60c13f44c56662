import {
  type CapabilityDependency,
  type CapabilityStore,
  type Direction,
  EDGE_TYPES,
  type EdgeSource,
  type EdgeType,
} from "@pml/core";

import type { Answer, Call } from "../call.js";
import { readJsonObject } from "../json-body.js";
import { Refusal } from "../problem.js";
import { asOneOf, readQuery } from "../query.js";
import { toWire } from "../snake-case.js";

const DIRECTIONS: readonly Direction[] = ["from", "to", "both"];
const FIELDS = ["to_capability_id", "edge_type", "edge_source"];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function listDependencies({ store, url, parameters }: Call): Promise<Answer> {
  const { direction = "both" } = readQuery(url, { direction: asOneOf(DIRECTIONS) });
  const id = await getCapabilityId(store, parameters["id"]);
  const dependencies = await store.getDependencies(id, direction);
  return {
    status: 200,
    body: { capability_id: id, dependencies: dependencies.map(toWire), total: dependencies.length },
  };
}

export async function createDependency({ store, url, request, parameters, maxBodyBytes }: Call): Promise<Answer> {
  readQuery(url, {});
  const body = await readJsonObject(request, maxBodyBytes);
  const unknown = Object.keys(body).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw invalidBody(`"${unknown.slice(0, 100)}" is no field here. Fields are ${FIELDS.join(", ")}.`);
  const dependency: CapabilityDependency = await store.createDependency({
    fromCapabilityId: await getCapabilityId(store, parameters["id"]),
    toCapabilityId: getField(body, "to_capability_id"),
    edgeType: getField(body, "edge_type") as EdgeType,
    edgeSource: (Object.hasOwn(body, "edge_source") ? getField(body, "edge_source") : "manual") as EdgeSource,
  });
  return { status: 201, body: { created: true, dependency: toWire(dependency) } };
}

export async function removeDependency({ store, url, parameters }: Call): Promise<Answer> {
  const { edge_type: type } = readQuery(url, { edge_type: asOneOf(EDGE_TYPES) });
  const from = checkPathId(parameters["id"]);
  const to = checkPathId(parameters["to"]);
  await store.removeDependency({ from, to, ...(type !== undefined && { type }) });
  return { status: 204 };
}

async function getCapabilityId(store: CapabilityStore, id: string | undefined): Promise<string> {
  return (await store.get(checkPathId(id))).id;
}

/** What cannot be an id is the id of nothing. */
function checkPathId(id = ""): string {
  if (UUID.test(id)) return id;
  throw new Refusal(404, "HTTP_NOT_FOUND", { detail: `There is no capability ${JSON.stringify(id.slice(0, 100))}.` });
}

function getField(body: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value === "string") return value;
  throw invalidBody(`"${name}" must be a string.`);
}

function invalidBody(detail: string): Refusal {
  return new Refusal(422, "HTTP_INVALID_BODY", { detail });
}

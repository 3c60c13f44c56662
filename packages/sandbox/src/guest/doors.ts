import { isReservedName } from "../names.js";

type Invoke = (args: unknown) => Promise<unknown>;

/** `mcp.server.name(args)`; `mcp.cap` leads to the capabilities. */
export function createMcp(call: (tool: string, args: unknown) => Promise<unknown>, capabilities: object): object {
  return createDoor((server) =>
    server === "cap"
      ? capabilities
      : createDoor(
          (name): Invoke =>
            (args) =>
              call(`${server}:${name}`, args),
        ),
  );
}

/** `capabilities.name(args)`, `capabilities.namespace.action(args)`, `capabilities["namespace:action@v1"](args)`. */
export function createCapabilities(invoke: (name: string, args: unknown) => Promise<unknown>): object {
  return createDoor((name) =>
    createDoor(
      (action): Invoke =>
        (args) =>
          invoke(`${name}:${action}`, args),
      (args) => invoke(name, args),
    ),
  );
}

/** An object that has every name but the reserved ones, all read-only. With `invoke` it can be called as well. */
function createDoor(open: (name: string) => unknown, invoke?: Invoke): object {
  const opened = new Map<string, unknown>();
  return new Proxy(createTarget(invoke), {
    get(_, name) {
      if (typeof name !== "string" || isReservedName(name)) return undefined;
      if (!opened.has(name)) opened.set(name, open(name));
      return opened.get(name);
    },
  });
}

/** Without any property: those a frozen target has, a proxy must show. */
function createTarget(invoke: Invoke | undefined): object {
  const target = invoke === undefined ? {} : (args: unknown) => invoke(args);
  for (const name of Object.getOwnPropertyNames(target)) Reflect.deleteProperty(target, name);
  return Object.freeze(Object.setPrototypeOf(target, null) as object);
}

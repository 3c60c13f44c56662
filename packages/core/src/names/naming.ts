import type { Naming } from "../execute/naming.js";
import { PmlError } from "../model/error.js";
import type { StoreContext } from "../store/context.js";
import { checkDisplayName } from "./display-name.js";
import type { Names } from "./names.js";

/** What executing needs of names, from them. */
export function createNaming(names: Names): Naming {
  const of = ({ scope }: StoreContext): Names => names.withScope(scope);
  return {
    resolve: (context, name) => of(context).resolve(name),
    fix: (context, called) => of(context).resolveCapabilities(called),
    async check(context, name, hash) {
      checkDisplayName(name);
      const holder = await findHolder(of(context), name);
      if (holder !== undefined && holder.hash !== hash)
        throw new PmlError("PML_NAME_TAKEN", `The name "${name}" is taken. Choose another, or update what has it.`, {
          details: { name, capabilityId: holder.id },
        });
    },
    async assign(context, capabilityId, name) {
      await of(context).assign({ capabilityId, name });
    },
    stepBack: (context, capabilityId, canRun) => of(context).stepBack(capabilityId, canRun),
    curateWhenDue: (context) => of(context).curateWhenDue(),
  };
}

async function findHolder(names: Names, name: string): Promise<{ id: string; hash: string } | undefined> {
  try {
    return (await names.resolve(name)).capability;
  } catch (error) {
    if (error instanceof PmlError && error.code === "PML_NOT_FOUND") return undefined;
    throw error;
  }
}

import type { ApprovalAnswer, ErrorAnswer, PmlEvent, SuccessAnswer } from "@pml/core";
import { Command } from "commander";

import type { Answer } from "../answer.js";
import { EXIT_CODES } from "../exit-codes.js";
import type { OpenMemory } from "../open-memory.js";
import { plainLine, plainText } from "../plain-text.js";
import type { Progress } from "../progress.js";
import type { Runner, Surroundings } from "../run-command.js";
import { type GivenArguments, readArguments } from "./read-arguments.js";
import { examples } from "./read-options.js";

interface RunOptions extends GivenArguments {
  yes?: boolean;
}

type Ran = SuccessAnswer | ErrorAnswer;

export function runCommand(runner: Runner): Command {
  return new Command("run")
    .description("run a capability, with arguments over its defaults")
    .argument("<name>", "its name, an old one, name@version, FQDN or id")
    .option("-a, --arg <name=value...>", "one argument; may be given again")
    .option("--args <json>", "all of them: a JSON object, @file, or - for standard input")
    .option("-y, --yes", "approve the tools that it asks for")
    .addHelpText(
      "after",
      examples("run fs:read_json --arg path=a.json --config servers.json", "run report:make --args @input.json --json"),
    )
    .action(
      runner.withMemory((at, name: string, options: RunOptions) => run(at, { name, options }), {
        callsTools: true,
      }),
    );
}

async function run(
  at: Surroundings & OpenMemory,
  { name, options }: { name: string; options: RunOptions },
): Promise<Answer> {
  const { pml, servers, terminal, progress, signal } = at;
  const { capability } = await pml.names.resolve(name);
  const args = await readArguments(options, { parameters: capability.parameters, terminal });
  const onEvent = (event: PmlEvent): void => report(event, progress);
  const answer = await pml.execute({ capability: name, args, signal, onEvent });
  if (answer.status !== "approval_required") return show(answer, { connected: servers !== undefined });
  if (options.yes !== true && !(await askPerson(answer, at))) return wait(pml, answer);
  const approved = await pml.approve(answer.approval.id, { signal });
  if (approved.status === "approval_required") return wait(pml, approved);
  return show(approved as Ran, { connected: servers !== undefined });
}

function report(event: PmlEvent, progress: Progress): void {
  if (event.type === "tool_start") progress.say(`Calling ${event.tool} …`);
  if (event.type === "progress") progress.say(event.message);
}

async function askPerson({ approval }: ApprovalAnswer, { terminal, progress }: Surroundings): Promise<boolean> {
  if (terminal.ask === undefined) return false;
  progress.clear();
  terminal.writeError(`${listAsked(approval)}\n`);
  return /^y(es)?$/i.test((await terminal.ask("Go on? [y/N] ")).trim());
}

function listAsked({ tools }: ApprovalAnswer["approval"]): string {
  const asked = tools.map(({ id, reason, arguments: given }) =>
    plainText(`  ${id}: ${reason} ${given.map((each) => JSON.stringify(each)).join(", ")}`.trimEnd()),
  );
  return ["It would call:", ...asked].join("\n");
}

/** Nobody will come back for it, so it does not go on waiting in the memory. */
async function wait(pml: OpenMemory["pml"], { approval }: ApprovalAnswer): Promise<Answer> {
  await pml.reject(approval.id, { reason: "Nobody approved it." });
  return {
    data: { status: "approval_required", tools: approval.tools },
    exitCode: EXIT_CODES.waiting,
    text: () => `${listAsked(approval)}\nNothing was run. To approve: run it again with --yes.`,
  };
}

function show(answer: Ran, { connected }: { connected: boolean }): Answer {
  const { status, traceId, durationMs, warnings } = answer;
  const base = { status, trace_id: traceId, duration_ms: durationMs, ...(warnings !== undefined && { warnings }) };
  if (answer.status === "success")
    return {
      data: { ...base, result: answer.result, cache_hit: answer.cacheHit },
      text: () => plainText(typeof answer.result === "string" ? answer.result : asJson(answer.result)),
    };
  const { code, message } = answer.error;
  const hint = code === "PML_CAPABILITY_DEGRADED" && !connected ? "\nIts tools are brought by --config." : "";
  return {
    data: { ...base, error: answer.error },
    exitCode: EXIT_CODES.failed,
    text: () => `It failed: ${plainText(message)} [${plainLine(code)}]${hint}`,
  };
}

/** Nothing for `undefined`: code without a `return` has no result. */
function asJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "";
}

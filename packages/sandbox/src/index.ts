export { type Capabilities } from "./capabilities.js";
export { type Fault, SANDBOX_ERROR_CODES, SandboxError, type SandboxErrorCode } from "./error.js";
export type {
  CapabilityEndEvent,
  CapabilityHintEvent,
  CapabilityStartEvent,
  DecisionEvent,
  LogEvent,
  ProgressEvent,
  RunEvent,
  ToolEndEvent,
  ToolStartEvent,
} from "./events.js";
export { limitFault, refusalFault, timeoutFault } from "./faults.js";
export { DEFAULT_LIMITS, type Limits, resolveLimits } from "./limits.js";
export type { Outcomes } from "./outcomes.js";
export { isReservedName } from "./names.js";
export { type CustomPermissions, PERMISSION_SETS, type Permissions, resolvePermissions } from "./permissions.js";
export type { ClockReading, Recording } from "./recording.js";
export type { Run, RunRequest, RunResult, RunSummary } from "./run/run.js";
export type { PoolOptions } from "./runner/pool.js";
export { createProcessRunner, createWorkerRunner, type PooledRunnerOptions } from "./runner/runners.js";
export type { Capability, GuestCall, Observation, Outcome, Powers, Program, Reply, Runner } from "./runner/runner.js";
export { listNearMatches } from "./run/near-matches.js";
export { createSandbox, type Sandbox } from "./sandbox.js";
export { DEFAULT_SANDBOX_OPTIONS, type SandboxOptions } from "./sandbox-options.js";
export { CAPABILITY_SERVER, type Tool, type ToolAnnotations, type ToolCallContext } from "./tool.js";
export { decodeValue } from "./wire/decode-value.js";
export { type EncodedValue, type Encoding, encodeValue } from "./wire/encode-value.js";
export type { GuestEvent, Origin } from "./wire/messages.js";
export type { Refusal } from "./wire/survey-value.js";

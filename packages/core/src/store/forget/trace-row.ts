import type { Row } from "../database/database.js";

/** A trace that is to be forgotten. */
export interface TraceRow extends Row {
  trace_id: string;
  capability_id: string | null;
  workflow_id: string | null;
  work_hash: string | null;
  work: { name?: string } | null;
  success: boolean;
  counted: boolean;
  executed_path: string[];
  decisions: { nodeId: string; outcome: string }[];
  tasks: { tool: string; success: boolean; durationMs: number; taskId: string; startedAtMs: number }[];
  feedback: { ok: boolean } | null;
  started_at: Date;
  duration_ms: number;
}

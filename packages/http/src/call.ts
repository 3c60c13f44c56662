import type { CapabilityStore } from "@pml/core";

export interface Call {
  /** Of the scope that asks. */
  store: CapabilityStore;
  url: URL;
  request: Request;
  parameters: Readonly<Record<string, string>>;
  basePath: string;
  maxBodyBytes: number;
}

export interface Answer {
  status: number;
  body?: unknown;
}

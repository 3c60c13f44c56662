import type { StepType } from "../../structure.js";

/** A structure with a place for everything in it, to be drawn by whatever can draw boxes and lines. */
export interface Drawing {
  width: number;
  height: number;
  loops: LoopBox[];
  boxes: StepBox[];
  lines: StepLine[];
  flows: FlowLine[];
}

export interface Point {
  x: number;
  y: number;
}

export interface StepBox {
  id: string;
  type: StepType | "end";
  /** Of the middle. */
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  detail?: string;
  pure?: true;
  line?: number;
  count: number;
}

export interface LoopBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface StepLine {
  points: Point[];
  /** Thicker, the more often it was taken. */
  width: number;
  count: number;
  isTaken: boolean;
  label?: { text: string; x: number; y: number };
}

/** Where a result goes. */
export interface FlowLine {
  from: string;
  to: string;
  start: Point;
  end: Point;
}

import { type Bytes, float, integer, join, message, text, bytes } from "./protobuf.js";

// Numbers of onnx.proto: fields of its messages, and kinds of elements.
export const ELEMENT = { float: 1, uint8: 2, int64: 7 } as const;
const ATTRIBUTE = { float: 1, integer: 2, integers: 7 } as const;
const IR_VERSION = 8;
/** The first with LayerNormalization; every runtime that transformers.js uses knows it. */
const OPSET = 17;

export interface Tensor {
  element: number;
  shape: readonly number[];
  data: Bytes;
}

type Attributes = Record<string, number | readonly number[] | { float: number }>;

/** Collects the nodes and constants of a graph, and writes them as an ONNX file. */
export class OnnxGraph {
  readonly #nodes: Bytes[] = [];
  readonly #constants: Bytes[] = [];
  readonly #inputs: Bytes[] = [];
  readonly #outputs: Bytes[] = [];
  #count = 0;

  input(name: string, element: number, shape: readonly (string | number)[]): string {
    this.#inputs.push(message(11, describeValue(name, element, shape)));
    return name;
  }

  /** Gives a result the name under which the graph is asked for it. */
  rename(result: string, name: string): void {
    this.#nodes.push(message(1, [text(1, result), text(2, name), text(3, `n_${name}`), text(4, "Identity")]));
  }

  output(name: string, element: number, shape: readonly (string | number)[]): void {
    this.#outputs.push(message(12, describeValue(name, element, shape)));
  }

  constant({ element, shape, data }: Tensor): string {
    const name = this.#nextName("c");
    const dims = shape.map((size) => integer(1, size));
    this.#constants.push(message(5, [...dims, integer(2, element), text(8, name), bytes(9, data)]));
    return name;
  }

  floats(values: readonly number[] | Float32Array, shape: readonly number[] = [values.length]): string {
    return this.constant({ element: ELEMENT.float, shape, data: new Uint8Array(Float32Array.from(values).buffer) });
  }

  integers(values: readonly number[], shape: readonly number[] = [values.length]): string {
    const data = new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer);
    return this.constant({ element: ELEMENT.int64, shape, data });
  }

  /** Adds an operation and returns the name of its result. */
  apply(operation: string, inputs: readonly string[], attributes: Attributes = {}): string {
    const name = this.#nextName("v");
    this.#nodes.push(
      message(1, [
        ...inputs.map((input) => text(1, input)),
        text(2, name),
        text(3, `n_${name}`),
        text(4, operation),
        ...Object.entries(attributes).map(([key, value]) => message(5, describeAttribute(key, value))),
      ]),
    );
    return name;
  }

  write(name: string): Bytes {
    const graph = [...this.#nodes, text(2, name), ...this.#constants, ...this.#inputs, ...this.#outputs];
    return join([
      integer(1, IR_VERSION),
      text(2, "@pml/embeddings"),
      message(7, graph),
      message(8, [text(1, ""), integer(2, OPSET)]),
    ]);
  }

  #nextName(prefix: string): string {
    return `${prefix}${this.#count++}`;
  }
}

function describeValue(name: string, element: number, shape: readonly (string | number)[]): Bytes[] {
  const dims = shape.map((size) => message(1, [typeof size === "string" ? text(2, size) : integer(1, size)]));
  return [text(1, name), message(2, [message(1, [integer(1, element), message(2, dims)])])];
}

function describeAttribute(name: string, value: Attributes[string]): Bytes[] {
  if (typeof value === "number") return [text(1, name), integer(3, value), integer(20, ATTRIBUTE.integer)];
  if ("float" in value) return [text(1, name), float(2, value.float), integer(20, ATTRIBUTE.float)];
  return [text(1, name), ...value.map((each) => integer(8, each)), integer(20, ATTRIBUTE.integers)];
}

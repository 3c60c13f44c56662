import { ELEMENT, OnnxGraph } from "./onnx-graph.js";
import { decode, type FindTensor, type SourceTensor, zeroPoint } from "./source-weights.js";

const LAYERS = 6;
const HEADS = 12;
const WIDTH = 384;
const HEAD_WIDTH = WIDTH / HEADS;
const EPSILON = { float: 1e-12 };
const SHAPE = ["batch", "sequence"];
const ROOT = "StatefulPartitionedCall/model/tf_bert_model/bert/";

/** The encoder of MiniLM-L6 as ONNX: token ids in, one vector a token out; pooling is left to the caller. */
export function buildBert(find: FindTensor): Uint8Array {
  const graph = new OnnxGraph();
  const ids = graph.input("input_ids", ELEMENT.int64, SHAPE);
  const mask = graph.input("attention_mask", ELEMENT.int64, SHAPE);
  const types = graph.input("token_type_ids", ELEMENT.int64, SHAPE);
  const bert = new BertBuilder(graph, find);
  let hidden = bert.embed(ids, types);
  const bias = bert.maskBias(mask);
  for (let layer = 0; layer < LAYERS; layer++) hidden = bert.layer(`encoder/layer_._${layer}/`, hidden, bias);
  graph.rename(hidden, "last_hidden_state");
  graph.output("last_hidden_state", ELEMENT.float, [...SHAPE, WIDTH]);
  return graph.write("all-MiniLM-L6-v2");
}

class BertBuilder {
  readonly #graph: OnnxGraph;
  readonly #find: FindTensor;

  constructor(graph: OnnxGraph, find: FindTensor) {
    this.#graph = graph;
    this.#find = find;
  }

  embed(ids: string, types: string): string {
    const graph = this.#graph;
    const length = graph.apply("Gather", [graph.apply("Shape", [ids]), graph.integers([1], [])], { axis: 0 });
    const positions = graph.apply("Range", [graph.integers([0], []), length, graph.integers([1], [])]);
    const words = this.#lookUp(this.#find("unknown"), ids);
    const places = this.#lookUp(this.#find("unknown_0"), positions);
    const segments = this.#lookUp(this.#find("unknown_1"), types);
    const sum = graph.apply("Add", [graph.apply("Add", [words, places]), segments]);
    return this.#normalise("embeddings/", sum);
  }

  /** Nothing where there is a token, and so much less than any score where there is padding. */
  maskBias(mask: string): string {
    const graph = this.#graph;
    const wide = graph.apply("Unsqueeze", [mask, graph.integers([1, 2])]);
    const absent = graph.apply("Sub", [graph.floats([1]), graph.apply("Cast", [wide], { to: ELEMENT.float })]);
    return graph.apply("Mul", [absent, graph.floats([-10_000])]);
  }

  layer(path: string, hidden: string, bias: string): string {
    const graph = this.#graph;
    const attended = this.#dense(
      `${path}attention/output/dense/`,
      this.#attend(`${path}attention/self/`, hidden, bias),
    );
    const middle = this.#normalise(`${path}attention/output/`, graph.apply("Add", [attended, hidden]));
    const inner = this.#gelu(this.#dense(`${path}intermediate/dense/`, middle));
    const outer = this.#dense(`${path}output/dense/`, inner);
    return this.#normalise(`${path}output/`, graph.apply("Add", [outer, middle]));
  }

  #attend(path: string, hidden: string, bias: string): string {
    const graph = this.#graph;
    const query = this.#heads(this.#dense(`${path}query/`, hidden), [0, 2, 1, 3]);
    const key = this.#heads(this.#dense(`${path}key/`, hidden), [0, 2, 3, 1]);
    const value = this.#heads(this.#dense(`${path}value/`, hidden), [0, 2, 1, 3]);
    const product = graph.apply("MatMul", [query, key]);
    const scores = graph.apply("Div", [product, graph.floats([Math.sqrt(HEAD_WIDTH)], [])]);
    const weights = graph.apply("Softmax", [graph.apply("Add", [scores, bias])], { axis: -1 });
    const mixed = graph.apply("Transpose", [graph.apply("MatMul", [weights, value])], { perm: [0, 2, 1, 3] });
    return graph.apply("Reshape", [mixed, graph.integers([0, 0, WIDTH])]);
  }

  #heads(projected: string, perm: readonly number[]): string {
    const split = this.#graph.apply("Reshape", [projected, this.#graph.integers([0, 0, HEADS, HEAD_WIDTH])]);
    return this.#graph.apply("Transpose", [split], { perm });
  }

  #dense(path: string, input: string): string {
    const weights = this.#find(`${ROOT}${path}Tensordot/ReadVariableOp`);
    const bias = decode(this.#find(`${ROOT}${path}BiasAdd/ReadVariableOp`));
    const bytes = this.#graph.constant({ element: ELEMENT.uint8, shape: weights.shape, data: weights.bytes });
    const product = this.#graph.apply("MatMul", [input, this.#unpack(bytes, weights)]);
    return this.#graph.apply("Add", [product, this.#graph.floats(bias)]);
  }

  /** Rows are taken as bytes and unpacked after, so that the vocabulary stays small in memory. */
  #lookUp(table: SourceTensor, indices: string): string {
    const bytes = this.#graph.constant({ element: ELEMENT.uint8, shape: table.shape, data: table.bytes });
    return this.#unpack(this.#graph.apply("Gather", [bytes, indices], { axis: 0 }), table);
  }

  /**
   * Plain arithmetic instead of DequantizeLinear: runtimes fold it into the weights once, at load, where they would
   * repeat a dequantisation at every call.
   */
  #unpack(bytes: string, source: SourceTensor): string {
    const graph = this.#graph;
    const centred = graph.apply("Sub", [
      graph.apply("Cast", [bytes], { to: ELEMENT.float }),
      graph.floats([zeroPoint(source)], []),
    ]);
    return graph.apply("Mul", [centred, graph.floats([source.scale], [])]);
  }

  #normalise(path: string, input: string): string {
    const gain = decode(this.#find(`${ROOT}${path}LayerNorm/batchnorm/mul/ReadVariableOp`));
    const offset = decode(this.#find(`${ROOT}${path}LayerNorm/batchnorm/ReadVariableOp`));
    const inputs = [input, this.#graph.floats(gain), this.#graph.floats(offset)];
    return this.#graph.apply("LayerNormalization", inputs, { axis: -1, epsilon: EPSILON });
  }

  #gelu(input: string): string {
    const graph = this.#graph;
    const scaled = graph.apply("Div", [input, graph.floats([Math.SQRT2], [])]);
    const gate = graph.apply("Add", [graph.apply("Erf", [scaled]), graph.floats([1], [])]);
    return graph.apply("Mul", [graph.apply("Mul", [input, gate]), graph.floats([0.5], [])]);
  }
}

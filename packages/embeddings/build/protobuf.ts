/** The few kinds of protobuf field an ONNX file is made of; a schema compiler would be larger than all of this. */
export type Bytes = Uint8Array;

const encoder = new TextEncoder();

export function integer(field: number, value: number): Bytes {
  return join([varint(field << 3), varint(value)]);
}

export function text(field: number, value: string): Bytes {
  return bytes(field, encoder.encode(value));
}

export function bytes(field: number, value: Bytes): Bytes {
  return join([varint((field << 3) | 2), varint(value.length), value]);
}

export function message(field: number, parts: readonly Bytes[]): Bytes {
  return bytes(field, join(parts));
}

export function float(field: number, value: number): Bytes {
  const encoded = new Uint8Array(4);
  new DataView(encoded.buffer).setFloat32(0, value, true);
  return join([varint((field << 3) | 5), encoded]);
}

export function join(parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

function varint(value: number): Bytes {
  const encoded: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    encoded.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Uint8Array.from(encoded);
}

/** The frames between the server and an isolate process; native/wire.h is the other end. */
export const FrameType = {
  heap: 1,
  run: 2,
  reply: 3,
  probe: 4,
  ready: 16,
  console: 17,
  call: 18,
  cancel: 19,
  outcome: 20,
  snapshot: 21,
  heapError: 22,
  fatal: 23,
  probed: 24,
} as const;

export interface Frame {
  readonly type: number;
  readonly body: Buffer;
}

export interface RunFields {
  readonly heapCapBytes: number;
  readonly maxOutputBytes: number;
  readonly maxResultBytes: number;
  readonly maxPendingCalls: number;
  readonly maxCallBytes: number;
  readonly keepHeap: boolean;
  readonly config: string;
  readonly source: string;
}

export const headerSize = 5;
const copyBelow = 4096;

/** A frame as the pieces to write: a large body is not copied, a small one goes in one piece with its header. */
export function encodeFrame(type: number, body: Uint8Array): [Buffer] | [Buffer, Uint8Array] {
  const whole = body.length < copyBelow;
  const head = Buffer.allocUnsafe(headerSize + (whole ? body.length : 0));
  head.writeUInt8(type, 0);
  head.writeUInt32LE(body.length, 1);
  if (!whole) return [head, body];
  head.set(body, headerSize);
  return [head];
}

export function runBody(fields: RunFields): Buffer {
  const config = Buffer.from(fields.config, 'utf8');
  const source = Buffer.from(fields.source, 'utf8');
  const head = Buffer.allocUnsafe(33);
  head.writeBigUInt64LE(BigInt(fields.heapCapBytes), 0);
  head.writeBigUInt64LE(BigInt(fields.maxOutputBytes), 8);
  head.writeUInt32LE(fields.maxResultBytes, 16);
  head.writeUInt32LE(fields.maxPendingCalls, 20);
  head.writeUInt32LE(fields.maxCallBytes, 24);
  head.writeUInt8(fields.keepHeap ? 1 : 0, 28);
  head.writeUInt32LE(config.length, 29);
  const sourceLength = Buffer.allocUnsafe(4);
  sourceLength.writeUInt32LE(source.length, 0);
  return Buffer.concat([head, config, sourceLength, source]);
}

export function replyBody(id: number, ok: boolean, text: string): Buffer {
  const body = Buffer.allocUnsafe(5 + Buffer.byteLength(text));
  body.writeUInt32LE(id, 0);
  body.writeUInt8(ok ? 1 : 0, 4);
  body.write(text, 5, 'utf8');
  return body;
}

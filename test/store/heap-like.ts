/** What V8 writes for an object: its words, and the objects that it refers to, by name. */
export interface Item {
  readonly name: string;
  readonly text: string;
  readonly refers: readonly string[];
}

/** Bytes in the form of a heap, small enough to be made by the thousand: references are numbers in the order of items. */
export function heapLike(items: readonly Item[], address = 0x1234): Uint8Array {
  const numbers = new Map(items.map(({ name }, number) => [name, number]));
  const refer = (operation: number, name: string) => {
    const number = numbers.get(name);
    return number === undefined ? [0x41] : [operation, ...integer(number)];
  };
  const startup = items.flatMap(({ text, refers }, index) => [
    ...newObject(text),
    ...refers.flatMap((name) => refer(0x04, name)),
    0x90 | (index % 8),
  ]);
  const context = items.flatMap(({ text, name, refers }) => [
    ...newObject(`the ${text}`),
    ...refer(0x06, name),
    ...refers.flatMap((other) => refer(0x20, other)),
  ]);
  const pointer = [0, 1, 2, 3, ...Buffer.from(Uint32Array.of(address).buffer)];
  const pointers = Array.from({ length: 256 }, () => pointer).flat();
  const readOnly = [0, ...integer(0), ...integer(4096), 2, ...integer(0), ...integer(0), ...integer(pointers.length)];
  const parts = [
    part([...integer(1577), ...startup]),
    part([...readOnly, ...pointers, 3, ...Buffer.alloc(32, 0xff)]),
    part([...newObject('shared'), 0x40, ...integer(1), 0x04, ...integer(0)]),
    part(context),
  ];
  const header = Buffer.alloc(96);
  header.writeUInt32LE(1, 0);
  let at = header.length;
  for (const [index, { length }] of parts.entries()) {
    at += length;
    if (index < 3) header.writeUInt32LE(at, 80 + 4 * index);
  }
  return Buffer.concat([header, ...parts]);
}

function newObject(text: string): number[] {
  const words = Math.min(32, Math.ceil((text.length + 1) / 8));
  const raw = Buffer.alloc(words * 8);
  raw.write(text, 0, 'latin1');
  return [0x01, ...integer(words + 1), 0x4f, 0x5f + words, ...raw];
}

function part(operations: readonly number[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0xc0de06a9, 0);
  header.writeUInt32LE(operations.length, 4);
  return Buffer.concat([header, Uint8Array.from(operations)]);
}

/** As V8 writes it: its length is in the lowest two bits. */
function integer(value: number): number[] {
  const bytes = value < 2 ** 6 ? 1 : value < 2 ** 14 ? 2 : value < 2 ** 22 ? 3 : 4;
  const coded = value * 4 + bytes - 1;
  return Array.from({ length: bytes }, (_, at) => Math.floor(coded / 256 ** at) % 256);
}

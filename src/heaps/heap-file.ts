import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage, promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { replaceFile } from '../config/replace-file.ts';
import type { Build } from '../engine/build.ts';
import { CayError } from '../errors.ts';

/** What a heap file says about its heap: `cayheap1`, this as one line of JSON, the heap compressed by zstd. */
export interface HeapFileHeader {
  readonly fingerprint: string;
  readonly v8: string;
  readonly arch: string;
  /** Of the raw heap, like `bytes`. */
  readonly sha256: string;
  readonly bytes: number;
  readonly created_at: string;
}

const magic = 'cayheap1\n';
const maxHeaderBytes = 4096;
const maxHeapBytes = 2 ** 31 - 1;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The heap in a file, if this engine made it and it is whole: anything else would be code of unknown effect for V8. */
export async function readHeapFile(path: string, build: Build): Promise<Buffer> {
  const file = await readFile(path).catch((error: unknown) => {
    throw new CayError('file_unreadable', `Cannot read ${path}: ${systemReason(error)}`, { cause: error });
  });
  if (!file.subarray(0, magic.length).equals(Buffer.from(magic))) {
    throw new CayError('not_a_heap_file', `${path} is not a heap file of Cay`);
  }
  const headerEnd = file.subarray(0, maxHeaderBytes).indexOf('\n', magic.length);
  const header = parseHeader(file.toString('utf8', magic.length, Math.max(headerEnd, magic.length)));
  if (!header) throw damaged(path, 'its header cannot be read');
  if (header.fingerprint !== build.fingerprint) {
    const theirs = `V8 ${header.v8} on ${header.arch}, engine ${header.fingerprint}`;
    const ours = `V8 ${build.jit.v8} on ${build.jit.arch}, engine ${build.fingerprint}`;
    const message = `${path} is a heap of another engine version: it was made by ${theirs}; this is ${ours}`;
    throw new CayError('heap_of_another_engine', message);
  }
  const heap = await unpack(file.subarray(headerEnd + 1), header.bytes).catch((cause: unknown) => {
    throw damaged(path, 'it cannot be decompressed', cause);
  });
  if (heap.length !== header.bytes) throw damaged(path, `it holds ${heap.length} bytes instead of ${header.bytes}`);
  if (sha256(heap) !== header.sha256) throw damaged(path, 'its bytes no longer have its hash');
  return heap;
}

/** Writes a heap beside `path` and renames it, so that there is never half a file under that name. */
export async function writeHeapFile(path: string, heap: Uint8Array, build: Build): Promise<void> {
  const header: HeapFileHeader = {
    fingerprint: build.fingerprint,
    v8: build.jit.v8,
    arch: build.jit.arch,
    sha256: sha256(heap),
    bytes: heap.length,
    created_at: new Date().toISOString(),
  };
  const content = [Buffer.from(`${magic}${JSON.stringify(header)}\n`), await compress(heap)];
  const target = await heapFileTarget(path);
  try {
    await replaceFile(target, Buffer.concat(content));
  } catch (error) {
    throw new CayError('file_unwritable', `Cannot write ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Where a heap file will be written, after symbolic links; refuses a place where none can be. */
export async function heapFileTarget(path: string): Promise<string> {
  try {
    const target = await realpath(path).catch(() => resolve(path));
    await access(dirname(target), constants.W_OK);
    const there = await lstat(target).catch(() => null);
    // A rename would put a plain file in the place of a device such as /dev/null.
    if (!there || there.isFile()) return target;
  } catch (error) {
    throw new CayError('file_unwritable', `Cannot write ${path}: ${systemReason(error)}`, { cause: error });
  }
  throw new CayError('file_unwritable', `Cannot write ${path}: it exists and is not a file`);
}

/** `no such file or directory` rather than Node's sentence around it. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : error.message;
}

function unpack(packed: Uint8Array, bytes: number): Promise<Buffer> {
  return decompress(packed, { maxOutputLength: Math.max(bytes, 1) });
}

function parseHeader(text: string): HeapFileHeader | null {
  let header: Partial<Record<keyof HeapFileHeader, unknown>>;
  try {
    header = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof header !== 'object' || header === null) return null;
  const { fingerprint, v8, arch, sha256, bytes, created_at } = header;
  if (typeof fingerprint !== 'string' || typeof v8 !== 'string' || typeof arch !== 'string') return null;
  if (typeof sha256 !== 'string' || typeof created_at !== 'string') return null;
  if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 0 || bytes > maxHeapBytes) return null;
  return { fingerprint, v8, arch, sha256, bytes, created_at };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function damaged(path: string, why: string, cause?: unknown): CayError {
  return new CayError('heap_file_damaged', `${path} is a damaged heap file: ${why}`, { cause });
}

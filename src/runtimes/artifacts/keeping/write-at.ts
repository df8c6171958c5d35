import type { FileHandle } from 'node:fs/promises';

/** All of it: one call may write less. `position` null: at the end. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number | null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(
      bytes,
      done,
      bytes.length - done,
      position === null ? null : position + done,
    );
    done += bytesWritten;
  }
}

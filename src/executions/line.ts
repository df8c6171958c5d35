const longest = 1000;

/** The last line of console bytes that has something in it, without its newline, cut when it is long. */
export function newestLine(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = text.length;
  while (end > 0 && text[end - 1] === 10) end--;
  const start = end === 0 ? 0 : text.lastIndexOf(10, end - 1) + 1;
  const line = text.toString('utf8', start, Math.min(end, start + 4 * longest));
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

import type { UpstreamResult } from '../upstreams/types.ts';
import { ToolError } from './tool-error.ts';

/**
 * What the code gets of an upstream's answer, as JSON text: its structured content; else its one text block, as the JSON
 * that it holds or as a text; else the blocks. Throws the text of an answer that is an error.
 */
export function unwrap({ isError, content, structuredContent }: UpstreamResult): string {
  if (isError) throw new ToolError('UPSTREAM_ERROR', errorText(content));
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  const [block, ...more] = content;
  if (block?.type === 'text' && more.length === 0) return isJson(block.text) ? block.text : JSON.stringify(block.text);
  return JSON.stringify(content);
}

function errorText(content: UpstreamResult['content']): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.join('\n') || 'The tool failed and did not say why';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

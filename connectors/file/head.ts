import type { FileOptions } from '../connector.ts'
import { detectEncoding, toUtf8 } from './encoding.ts'
import { judge, type Plan } from './judge.ts'
import { lineBreakOf, lineSplitter } from './line-splitter.ts'

/** Bytes by which a file is judged: the same in a preview and in the import after it, so both come to the same. */
export const HEAD_BYTES = 64 * 1024

export type Judged = { plan: Plan; decode: (chunk: Uint8Array) => Uint8Array; lineBreak: number }

/**
 * Judges a file by its first bytes. `cut` says that more bytes follow: then a last line without its end is left out.
 * Throws `Rejected` for what holds no text.
 */
export function judgeHead(bytes: Uint8Array, options: FileOptions, cut: boolean): Judged {
  const head = bytes.subarray(0, HEAD_BYTES)
  const encoding = detectEncoding(head)
  const decoded = toUtf8(encoding)(head)
  const lineBreak = lineBreakOf(decoded)
  const splitter = lineSplitter(lineBreak)
  const lines = splitter.push(decoded)
  if (!cut || lines.length === 0) lines.push(...splitter.end())
  return { plan: judge(lines, options, cut), decode: toUtf8(encoding), lineBreak }
}

import { type Line, type LineSplitter, lineDecoder, MAX_LINE } from './line-splitter.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c]

/** True for text that starts one JSON array of objects, as written by `gh issue list --json` and many APIs. */
export function startsJsonArray(head: Uint8Array): boolean {
  return /^\s*\[\s*(\{|$)/.test(Buffer.from(head.subarray(0, 4096)).toString('latin1'))
}

/**
 * Splits the bytes of one JSON array into its elements, as if each had its own line: the line number is that of the
 * element, from 1. Buffers one element at a time, of 1 MiB at most; a longer one is reported and skipped. The reader checks
 * whether an element is valid JSON.
 */
export function jsonArraySplitter(open = false): LineSplitter {
  const decoder = lineDecoder(open)
  let held: Uint8Array[] = []
  let size = 0
  let skipping = false
  let number = 0
  /** The depth of the next byte: 0 outside the array, 1 between its elements. */
  let depth = 0
  let quoted = false
  let escaped = false

  const hold = (bytes: Uint8Array) => {
    size += bytes.byteLength
    if (size > MAX_LINE) {
      skipping = true
      held = []
    } else if (bytes.byteLength > 0) held.push(Uint8Array.from(bytes))
  }

  const take = (lines: Line[]) => {
    const whole = Buffer.concat(held)
    if (skipping || whole.toString('latin1').trim() !== '') {
      number += 1
      lines.push(decoder.line(whole, number, skipping))
    }
    held = []
    size = 0
    skipping = false
  }

  return {
    push(chunk) {
      const lines: Line[] = []
      let from = 0
      for (let at = 0; at < chunk.byteLength; at += 1) {
        const byte = chunk[at] ?? 0
        if (quoted) {
          if (escaped) escaped = false
          else if (byte === BACKSLASH) escaped = true
          else if (byte === QUOTE) quoted = false
          continue
        }
        if (byte === QUOTE) quoted = true
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
          if (depth === 0) from = at + 1
          depth += 1
        } else if (depth > 1 && (byte === CLOSE_LIST || byte === CLOSE_OBJECT)) depth -= 1
        else if (depth === 1 && (byte === COMMA || byte === CLOSE_LIST)) {
          hold(chunk.subarray(from, at))
          take(lines)
          from = at + 1
          if (byte === CLOSE_LIST) depth = 0
        }
      }
      if (depth > 0) hold(chunk.subarray(from))
      return lines
    },
    end() {
      const lines: Line[] = []
      take(lines)
      return lines
    },
  }
}

import { isAscii, isUtf8 } from 'node:buffer'

/** One line of a file, counted from 1, or why it cannot be read. */
export type Line = { number: number; text: string; problem: string | null }

export type LineSplitter = {
  push(chunk: Uint8Array): Line[]
  /** The last line, when no line break follows it. */
  end(): Line[]
}

/** The longest line in bytes; a longer one is reported and skipped. */
export const MAX_LINE = 1024 * 1024
const TOO_LONG = 'The line is longer than 1 MiB'
const NOT_UTF8 = 'The line is not valid UTF-8 (is the file saved in another encoding, such as Windows-1252?)'
const HAS_NUL = 'The line contains a NUL byte'

const legacy = new TextDecoder('windows-1252')

/** Files from old Macs have only a carriage return as line break; in quoted cells, texts may have others. */
export function lineBreakOf(head: Uint8Array): number {
  if (!head.includes(13)) return 10
  let quoted = false
  let returns = 0
  for (const [at, byte] of head.entries()) {
    if (byte === 34) quoted = !quoted
    else if (!quoted && byte === 10) return 10
    else if (!quoted && byte === 13 && head[at + 1] !== 10) returns += 1
  }
  return returns > 0 ? 13 : 10
}

/**
 * The text of one line after the other. Bytes that are not UTF-8, NUL bytes and endless lines spoil their own line only. With
 * `open` the first line that is not ASCII decides the encoding of the rest: UTF-8, or else Windows-1252.
 */
export function lineDecoder(open: boolean) {
  let encoding: 'open' | 'utf-8' | 'windows-1252' = open ? 'open' : 'utf-8'

  const textOf = (bytes: Uint8Array): string | null => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (isAscii(bytes)) return buffer.toString('latin1')
    const valid = isUtf8(bytes)
    if (encoding === 'open') encoding = valid ? 'utf-8' : 'windows-1252'
    if (encoding === 'windows-1252') return legacy.decode(bytes)
    return valid ? buffer.toString('utf8') : null
  }

  return {
    line(bytes: Uint8Array, number: number, skipped = false): Line {
      if (skipped || bytes.byteLength > MAX_LINE) return { number, text: '', problem: TOO_LONG }
      const text = textOf(bytes)
      if (text === null) return { number, text: '', problem: NOT_UTF8 }
      return text.includes('\0') ? { number, text: '', problem: HAS_NUL } : { number, text, problem: null }
    },
    /** The text of several complete lines at once; null where they must be read one at a time. */
    block(bytes: Uint8Array): string | null {
      if (bytes.byteLength > MAX_LINE || !isUtf8(bytes)) return null
      if (encoding === 'windows-1252' && !isAscii(bytes)) return null
      const text = textOf(bytes)
      return text?.includes('\0') ? null : text
    },
  }
}

/**
 * Splits UTF-8 bytes into lines, with at most one line (of 1 MiB at most) in memory. Complete blocks are checked and decoded at
 * once, for speed; only an invalid block is read line by line.
 */
export function lineSplitter(lineBreak: number, open = false): LineSplitter {
  let rest: Uint8Array[] = []
  let restSize = 0
  let skipping = false
  let number = 0
  const separator = String.fromCharCode(lineBreak)
  const decoder = lineDecoder(open)

  const one = (bytes: Uint8Array): Line => {
    number += 1
    const line = decoder.line(bytes, number, skipping)
    skipping = false
    return { ...line, text: trimReturn(line.text) }
  }

  const hold = (bytes: Uint8Array) => {
    if (skipping || restSize + bytes.byteLength > MAX_LINE + 1) {
      skipping = true
      rest = []
      restSize = 0
    } else if (bytes.byteLength > 0) {
      // A copy: the caller may reuse the memory of its chunk.
      rest.push(Uint8Array.from(bytes))
      restSize += bytes.byteLength
    }
  }

  const take = (bytes: Uint8Array): Line => {
    hold(bytes)
    const whole = rest.length === 1 && rest[0] ? rest[0] : Buffer.concat(rest)
    rest = []
    restSize = 0
    return one(whole)
  }

  const block = (bytes: Uint8Array, lines: Line[]) => {
    const text = decoder.block(bytes)
    if (text !== null) {
      for (const line of text.split(separator)) {
        number += 1
        lines.push({ number, text: trimReturn(line), problem: null })
      }
      return
    }
    let from = 0
    for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, from)) {
      lines.push(one(bytes.subarray(from, at)))
      from = at + 1
    }
    lines.push(one(bytes.subarray(from)))
  }

  return {
    push(chunk) {
      const lines: Line[] = []
      const first = chunk.indexOf(lineBreak)
      if (first < 0) {
        hold(chunk)
        return lines
      }
      lines.push(take(chunk.subarray(0, first)))
      const last = chunk.lastIndexOf(lineBreak)
      if (last > first) block(chunk.subarray(first + 1, last), lines)
      hold(chunk.subarray(last + 1))
      return lines
    },
    end() {
      return skipping || restSize > 0 ? [take(new Uint8Array(0))] : []
    },
  }
}

const trimReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

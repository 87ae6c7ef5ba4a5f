import path from 'node:path/posix'
import { packingOf } from '@groundswell/contract/feedback/file-content.ts'
import type { FileFormat } from '@groundswell/contract/feedback.ts'
import type { FileOptions } from '../../connector.ts'
import { Rejected } from '../../kit/errors.ts'
import { toUtf8 } from '../encoding.ts'
import { HEAD_BYTES, type InspectedHead, inspectHead } from '../head.ts'
import { type Line, lineBreakOf } from '../line-splitter.ts'
import type { OpenFile } from './opened.ts'
import type { Zip } from './zip.ts'

/** Each is looked at before the first one is read. */
const MAX_PARTS = 200
const LINE_FEED = 10

/** `kind`: what parts of one table share. `skips`: lines above the first row. */
type Part = {
  file: string
  inspected: InspectedHead
  format: FileFormat
  kind: string
  skips: number
  lineBreak: number
}

/**
 * Several files of an archive as one: tables with the same columns, JSON with the same kind of messages, or plain text, in the order of their
 * names. With `cut` only the first of them is read: the others end anywhere. Throws `Rejected` where they are not of one kind.
 */
export async function openParts(
  zip: Zip,
  options: FileOptions,
  { cut, onRead }: { cut: boolean; onRead: (bytes: number) => void },
): Promise<Pick<OpenFile, 'options' | 'open' | 'files' | 'whereIs'>> {
  const count = zip.names.length
  if (count > MAX_PARTS) {
    throw new Rejected(`The archive has ${count.toLocaleString('en-US')} files. At most ${MAX_PARTS} are read as one`)
  }
  const names = zip.names.toSorted(new Intl.Collator('en', { numeric: true }).compare)
  const parts: Part[] = []
  for (const file of names) {
    const part = await partOf(zip, file, options)
    if (part) parts.push(part)
  }
  const [first] = parts
  if (!first) throw new Rejected(`The ${count} files are empty`)
  const other = parts.find(({ kind }) => kind !== first.kind)
  if (other) {
    const [one, two] = [first, other].map(({ file }) => `“${path.basename(file)}”`)
    throw new Rejected(
      `Several files are read as one if they have the same columns, and ${one} and ${two} do not. Import one after the other`,
    )
  }
  /** Where each part begins among the lines of all. */
  let begins: { file: string; from: number; skips: number }[] = []
  async function* open(): AsyncGenerator<Uint8Array> {
    begins = []
    let line = 0
    let before = 0
    for (const part of cut ? [first as Part] : parts) {
      const isFirst = part === first
      begins.push({ file: path.basename(part.file), from: line, skips: isFirst ? 0 : part.skips })
      let read = 0
      const bytes = zip.read(part.file, (taken) => onRead(before + (read = taken)))
      for await (const chunk of linesOf(bytes, part, { isFirst, cut })) {
        line += countOf(chunk)
        yield chunk
      }
      before += read
    }
  }
  const isUtf8 = parts.every(({ inspected }) => inspected.encoding === 'utf-8')
  const encoding = isUtf8 ? (options.encoding ?? null) : 'utf-8'
  return {
    options: { ...options, format: first.format, encoding },
    open,
    files: parts.length,
    whereIs: (line) => {
      const part = begins.findLast(({ from }) => from < line)
      return part ? { file: part.file, line: line - part.from + part.skips } : null
    },
  }
}

/** Null for a file without anything in it, such as the last page of an API. */
async function partOf(zip: Zip, file: string, options: FileOptions): Promise<Part | null> {
  const name = path.basename(file)
  const { head, isWhole } = await headOf(zip.read(file))
  if (isWhole && /^\s*(\[\s*\])?\s*$/.test(Buffer.from(head.subarray(0, 1000)).toString())) return null
  if (packingOf(head) !== null) {
    throw new Rejected(`“${name}” is a workbook or packed, and is not read together with others. Import it alone`)
  }
  try {
    const inspected = inspectHead(head, { ...options, name, mapping: null }, !isWhole)
    const { layout } = inspected
    const { format, header, leading, columns, preset, mapping } = layout
    const text = toUtf8(inspected.encoding)(head)
    const decoded = Buffer.from(text)
      .toString()
      .split(/\r?\n|\r/)
    const row = layout.rows.find(({ problem }) => problem === null)
    const skips = leading === 0 ? 0 : (row?.line ?? decoded.length) - 1
    const kind =
      format === 'jsonl'
        ? [format, preset?.label, mapping.text]
        : [format, header, columns, skips > 0 ? decoded[skips - 1] : '']
    return { file, inspected, format, kind: JSON.stringify(kind), skips, lineBreak: lineBreakOf(text) }
  } catch (error) {
    throw error instanceof Rejected ? new Rejected(`“${name}”: ${error.message}`) : error
  }
}

async function headOf(bytes: AsyncIterable<Uint8Array>): Promise<{ head: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(Uint8Array.from(chunk))
    size += chunk.byteLength
    if (size > HEAD_BYTES) return { head: Buffer.concat(chunks), isWhole: false }
  }
  return { head: Buffer.concat(chunks), isWhole: true }
}

/** The lines of a part in UTF-8, each with its break; of all but the first part without those above its rows. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  { inspected, format, skips, lineBreak }: Part,
  { isFirst, cut }: { isFirst: boolean; cut: boolean },
): AsyncGenerator<Uint8Array> {
  const decode = toUtf8(inspected.encoding)
  if (format === 'jsonl') {
    const splitter = inspected.splitter()
    for await (const chunk of bytes) yield jsonLines(splitter.push(decode(chunk)))
    if (!cut) yield jsonLines(splitter.end())
    return
  }
  let left = isFirst ? 0 : skips
  let last = LINE_FEED
  for await (const chunk of bytes) {
    let text = decode(chunk)
    while (left > 0 && text.byteLength > 0) {
      const at = text.indexOf(lineBreak)
      if (at >= 0) left -= 1
      text = at < 0 ? text.subarray(text.byteLength) : text.subarray(at + 1)
    }
    if (text.byteLength === 0) continue
    if (lineBreak !== LINE_FEED) text = text.map((byte) => (byte === lineBreak ? LINE_FEED : byte))
    last = text.at(-1) ?? LINE_FEED
    yield text
  }
  if (!cut && last !== LINE_FEED) yield Uint8Array.of(LINE_FEED)
}

/** Each element on a line of its own: between its values JSON may have line breaks, and in them it has none. What cannot be read is broken JSON. */
function jsonLines(lines: readonly Line[]): Uint8Array {
  const all = lines.map(({ text, problem }) => `${problem === null ? text.replace(/[\r\n]+/g, ' ') : '{'}\n`)
  return Buffer.from(all.join(''))
}

function countOf(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1
  return count
}

import { Rejected } from '../../kit/errors.ts'

const MAX_BYTES = 256 * 1024 * 1024

/** Texts that are kept compactly: as UTF-8 in one piece of memory, not as a million objects. */
export type TextList = { add(text: string): void; at(index: number): string | undefined }

/** An empty list. Adding throws `Rejected` beyond 256 MiB. */
export function textList(): TextList {
  let bytes = Buffer.alloc(64 * 1024)
  const ends: number[] = []
  return {
    add(text) {
      const from = ends.at(-1) ?? 0
      const end = from + Buffer.byteLength(text)
      if (end > MAX_BYTES) {
        throw new Rejected(
          'The texts of this workbook take more than 256 MiB. Save the sheet as CSV (UTF-8), then import that file',
        )
      }
      if (end > bytes.byteLength) {
        const larger = Buffer.alloc(Math.min(MAX_BYTES, Math.max(end, bytes.byteLength * 2)))
        bytes.copy(larger, 0, 0, from)
        bytes = larger
      }
      bytes.write(text, from)
      ends.push(end)
    },
    at(index) {
      const end = ends[index]
      return end === undefined ? undefined : bytes.toString('utf8', index === 0 ? 0 : ends[index - 1], end)
    },
  }
}

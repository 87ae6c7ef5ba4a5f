import { badRow, type RowReader } from './row.ts'

/** Plain text: one message per line. */
export function textRows(): RowReader {
  return {
    push: ({ number, text, problem }) => {
      if (problem !== null) return [badRow(number, problem)]
      return text.trim() === '' ? [] : [{ line: number, cells: [text], problem: null }]
    },
    end: () => [],
  }
}

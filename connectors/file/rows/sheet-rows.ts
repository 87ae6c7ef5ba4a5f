import { badRow, type RowReader } from './row.ts'

/** The rows of a workbook's sheet, as `packed/sheet.ts` writes them: a line is the JSON array of the cells of the row with its number. */
export function sheetRows(): RowReader {
  return {
    push: ({ number, text, problem }) => {
      if (problem !== null) return [badRow(number, problem)]
      if (text === '') return []
      return [{ line: number, cells: JSON.parse(text) as string[], problem: null }]
    },
    end: () => [],
  }
}

/** Excel reads a CSV file as UTF-8 only with it. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Saves bytes as a file in the browser's folder for downloads. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Saves a text as a file in UTF-8. */
export function saveText(name: string, text: string, type = 'text/plain'): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

/** Saves a table as a CSV file that spreadsheets open with its letters intact. */
export function saveCsv(name: string, csv: string): void {
  saveText(name, `${BYTE_ORDER_MARK}${csv}`, 'text/csv')
}

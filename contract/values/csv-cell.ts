/**
 * One cell of a CSV file: always quoted, and never a formula to a spreadsheet, since strangers wrote what is in it. What could be one
 * (it begins with `=`, `+`, `-`, `@`, a tab or a line break) gets a leading apostrophe; so does what already has one there, so that taking
 * away one always gives the value back.
 */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const plain = typeof value === 'string' && /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

/** A line of a CSV file with its line break. Numbers are not quoted. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell))).join(',')}\r\n`
}

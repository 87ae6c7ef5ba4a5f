/** A cell of a CSV file that a spreadsheet does not take for a formula. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}

/** A PostgreSQL array literal of numbers; null stands for itself. */
export function numberArray(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

/** A PostgreSQL array literal of texts, each quoted; null stands for itself. NUL, which no text may hold, is left out. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'null' : quote(value))).join(',')}}`
}

function quote(text: string): string {
  const kept = text.includes('\0') ? text.replaceAll('\0', '') : text
  return `"${/["\\]/.test(kept) ? kept.replace(/["\\]/g, '\\$&') : kept}"`
}

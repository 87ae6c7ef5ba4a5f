/** A PostgreSQL array literal of numbers and nulls. */
export function numberArray(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

/** A PostgreSQL array literal of quoted texts and nulls. NUL characters, which PostgreSQL does not allow in text, are removed. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'null' : quote(value))).join(',')}}`
}

function quote(text: string): string {
  const storable = text.includes('\0') ? text.replaceAll('\0', '') : text
  return `"${/["\\]/.test(storable) ? storable.replace(/["\\]/g, '\\$&') : storable}"`
}

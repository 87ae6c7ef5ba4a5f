/** A formatted number of bytes: `312 B`, `4.2 KB`, `18 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB']
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

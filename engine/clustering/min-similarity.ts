/**
 * The minimum similarity of a group member after this many texts. Among more texts the nearest one is nearer by
 * chance, growing with the logarithm of their number, so the threshold is lower in small workspaces. `member` is the
 * value at 5,500 texts.
 */
export function minSimilarity(member: number, texts: number): number {
  const moved = member + 0.038 * Math.log(Math.max(texts, 100) / 5_500)
  return Math.min(member + 0.05, Math.max(0.4, moved))
}

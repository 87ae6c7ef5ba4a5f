const MEMBER_SLOPE = 0.038
/** For statements that the second pass joins: it compares sentences, and in a small workspace the nearest one is further away. */
export const LOOSE_SLOPE = 0.0405

/**
 * The minimum similarity of a group member after this many texts. Among more texts the nearest one is nearer by
 * chance, growing with the logarithm of their number, so the threshold is lower in small workspaces. `member` is the
 * value at 5,500 texts, `slope` the difference that a factor of e makes.
 */
export function minSimilarity(member: number, texts: number, slope = MEMBER_SLOPE): number {
  const moved = member + slope * Math.log(Math.max(texts, 100) / 5_500)
  return Math.min(member + 0.05, Math.max(0.4, moved))
}

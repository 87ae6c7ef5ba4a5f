/**
 * The one-sided exact test of McNemar: how likely at least `worse` of the cases whose outcome changed would have become worse if either change were as
 * likely. `worse`, `better`: numbers of cases. From 0 to 1; 1 without a change.
 */
export function mcnemar(worse: number, better: number): number {
  const changed = worse + better
  if (worse === 0) return 1
  // Logarithms: half to the power of some thousands is too small for a number.
  let logOfChoices = 0
  let sum = 0
  for (let at = 0; at <= changed; at++) {
    if (at > 0) logOfChoices += Math.log((changed - at + 1) / at)
    if (at >= worse) sum += Math.exp(logOfChoices - changed * Math.LN2)
  }
  return Math.min(1, sum)
}

/** Colors of parts, in light and in dark: neighbours differ in lightness too. */
const COLORS = [
  'light-dark(#0f6e6e, #63c7be)',
  'light-dark(#c2670a, #f0a561)',
  'light-dark(#4350c4, #8f9bff)',
  'light-dark(#c23a6b, #f08bb0)',
  'light-dark(#4d7a1f, #9fcf6a)',
  'light-dark(#1f78b4, #6bb8f0)',
  'light-dark(#7d3fb5, #c79bf0)',
  'light-dark(#7a5f30, #cdb380)',
] as const

/** The color of mentions in no part. */
const REST_COLOR = 'var(--idle-dot)'
/** The color of the parts that are not shown one by one: they are stacked in the same bars as mentions in no part. */
const OTHERS_COLOR = 'color-mix(in srgb, var(--idle-dot) 40%, var(--text))'

/** The color of each of these parts; `key`: null for mentions in no part. `others`: the index of all that are not shown one by one, -1 without them. */
export function colorsOf(keys: readonly (string | null)[], others = -1): string[] {
  let next = 0
  return keys.map((key, index) => {
    if (index === others) return OTHERS_COLOR
    if (key === null) return REST_COLOR
    next += 1
    return COLORS[(next - 1) % COLORS.length] ?? REST_COLOR
  })
}

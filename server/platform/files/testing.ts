import fc from 'fast-check'

/** Changes one value of a file's content, so that it no longer fits its schema. */
type Misfit = readonly [path: readonly (string | number)[], wrong: unknown]

/**
 * Malformed files made from a good one by a seed: cut off, with a byte that is not UTF-8, with a doubled bracket, comma or colon, or with a value of
 * another kind at one of the `misfits`.
 */
export function malformedFiles(good: unknown, misfits: readonly Misfit[], count: number, seed: number): Uint8Array[] {
  const text = JSON.stringify(good)
  const bytes = Buffer.from(text)
  const marks = marksOf(text)
  const cut = fc.integer({ min: 1, max: bytes.length - 1 }).map((at) => bytes.subarray(0, at))
  const notText = fc
    .integer({ min: 0, max: bytes.length })
    .map((at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]))
  const doubled = fc
    .constantFrom(...marks)
    .map((at) => Buffer.from(`${text.slice(0, at)}${text.charAt(at)}${text.slice(at)}`))
  const misfit = fc
    .constantFrom(...misfits)
    .map(([path, wrong]) => Buffer.from(JSON.stringify(changed(good, path, wrong))))
  return fc.sample(fc.oneof(cut, notText, doubled, misfit), { numRuns: count, seed })
}

/** Where JSON has a bracket, comma or colon outside of its texts. */
function marksOf(text: string): number[] {
  const marks: number[] = []
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (quoted && char === '\\') at += 1
    else if (char === '"') quoted = !quoted
    else if (!quoted && '{}[],:'.includes(char)) marks.push(at)
  }
  return marks
}

function changed(value: unknown, [key, ...rest]: readonly (string | number)[], wrong: unknown): unknown {
  if (key === undefined) return wrong
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, wrong) : item))
  const fields = value as Record<string, unknown>
  return { ...fields, [key]: changed(fields[key], rest, wrong) }
}

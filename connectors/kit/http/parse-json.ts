/** The value of a JSON text, or undefined for a text that is not JSON. Null is a value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

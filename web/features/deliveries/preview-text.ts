/** A request's body for reading: JSON is indented, anything else stays as it is. */
export function bodyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

import { readFileSync } from 'node:fs'

/** The SVG text of the `logo.svg` beside a manifest: `readLogo(import.meta.url)`. */
export function readLogo(manifestUrl: string): string {
  return readFileSync(new URL('logo.svg', manifestUrl), 'utf8').trim()
}

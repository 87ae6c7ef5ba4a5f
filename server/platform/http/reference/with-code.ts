import { escaped } from '../../html.ts'

/** Text as HTML, with the parts between backticks as code. */
export function withCode(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** One named test of a file, with the file's own functions and constants that it uses. */

const TEST = /^ *(?:test|it)(?:\.each)?\(/m
const DECLARATION = /^(?:export )?(?:async )?(?:function|const) \[?(\w+)/

/**
 * The text of the test `name` and of every top-level declaration of its file that it uses, directly or not. Undefined when
 * the file has no such test.
 */
export function proofText(source: string, name: string): string | undefined {
  const at = Math.max(source.indexOf(`'${name}'`), source.indexOf(`"${name}"`))
  if (at < 0) return undefined
  const start = Math.max(source.lastIndexOf('\n\n', at), 0)
  const rest = source.slice(at + name.length)
  const next = rest.search(TEST)
  const own = source.slice(start, next < 0 ? source.length : at + name.length + next)
  const declared = new Map(
    source.split(/\n(?=\S)/).flatMap((block) => {
      const found = DECLARATION.exec(block.replace(/^\/\*\*[\s\S]*?\*\/\n/, ''))?.[1]
      return found === undefined ? [] : [[found, block] as const]
    }),
  )
  let text = own
  const used = new Set<string>()
  for (let more = true; more; ) {
    more = false
    for (const [word, block] of declared) {
      if (used.has(word) || !new RegExp(`\\b${word}\\b`).test(text)) continue
      used.add(word)
      text += `\n${block}`
      more = true
    }
  }
  return text
}

/** The numbers in a sentence, as digits: 1,000,000 is 1000000. One before a colon counts the rows, and is left out. */
export function numbersIn(text: string): string[] {
  return (text.match(/(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w:-])/g) ?? []).map((number) => number.replaceAll(/,/g, ''))
}

/** Whether a test contains a number, unchanged, or converted between seconds and milliseconds. */
export function namesNumber(proof: string, number: string): boolean {
  const digits = proof.replaceAll(/(?<=\d)[_,](?=\d{3})/g, '')
  const forms = [number, String(Number(number) * 1000), String(Number(number) / 1000)]
  return forms.some((form) => new RegExp(`(?<![\\d.])${form.replace('.', '\\.')}(?![\\d])`).test(digits))
}

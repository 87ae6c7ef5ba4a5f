import path from 'node:path'

/**
 * The words of a language are in `engine/lexicons/`, and the algorithms of the engine read them by name. A lint rule: no other file
 * of the engine has three or more words in an array, in a list that it splits, or as the alternatives of a pattern.
 */
const root = path.resolve(import.meta.dirname, '../..')

const CHECKED = /^engine\/(?!lexicons\/).*\.ts$/
const TESTS = /\.test\.ts$/
const MIN_WORDS = 3

/** Words that belong to no natural language. `text`: part of the pattern, or of the array with its words joined by `|`. */
export const EXCEPTIONS: readonly { file: string; text: string; why: string }[] = [
  { file: 'engine/text/normalise.ts', text: 'goroutine', why: 'lines of stack traces' },
  { file: 'engine/text/normalise.ts', text: 'ftp:', why: 'links' },
]

const WORD = /^\p{L}[\p{L}'’ -]*$/u

/** What is left of an alternative without escapes such as `\w`, classes of characters and repetition counts. */
function literalText(alternative: string): string {
  return alternative.replace(/\\[pP]\{[^}]*\}|\\k<\w+>|\\u\w{4}|\\./gu, ' ').replace(/\{[\d,]*\}/g, ' ')
}

/** The alternatives with letters of the group of a pattern that has the most; also of a pattern without groups. */
function alternativesOf(pattern: string): string[] {
  let most: string[] = []
  const close = (alternatives: string[]) => {
    const words = alternatives.filter((alternative) => /\p{L}/u.test(literalText(alternative)))
    if (words.length > most.length) most = words
  }
  const outer: string[][] = []
  let open = ['']
  const append = (text: string) => {
    open[open.length - 1] += text
  }
  const tokens = pattern.matchAll(/\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|[^]/gu)
  for (const [token] of tokens) {
    if (token.startsWith('(')) {
      outer.push(open)
      open = ['']
    } else if (token === ')') {
      const inner = open
      close(inner)
      open = outer.pop() ?? ['']
      append(inner.join(' '))
    } else if (token === '|') open.push('')
    else if (!token.startsWith('[')) append(token)
  }
  close(open)
  return most
}

/** The words of a pattern with three or more of them as alternatives, joined by `|`; else null. */
export function wordsOfPattern(pattern: string): string | null {
  const words = alternativesOf(pattern)
  return words.length >= MIN_WORDS ? words.join('|') : null
}

/** The words of an array of three or more words, joined by `|`; else null. */
export function wordsOfList(values: readonly unknown[]): string | null {
  const words = values.filter((value) => typeof value === 'string' && WORD.test(value))
  return words.length >= MIN_WORDS && words.length === values.length ? words.join('|') : null
}

/** Whether a file of the project is checked. */
export function isChecked(file: string): boolean {
  return CHECKED.test(file) && !TESTS.test(file)
}

type Node = { type: string; [field: string]: unknown }
type Literal = Node & { value?: unknown; regex?: { pattern: string } }
type Template = Node & { quasis: { value: { cooked: string | null } }[] }
type Call = Node & { callee: Node & { name?: string; object?: Node; property?: Node & { name?: string } } }
type Context = { filename: string; report(problem: { node: object; message: string }): void }

/** The text of a string or a template, with a dot for each inserted value; null for any other node. */
function textOf(node: Node | undefined): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node?.type !== 'TemplateLiteral') return null
  return (node as Template).quasis.map(({ value }) => value.cooked ?? '').join('.')
}

const wordLists = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    if (!isChecked(file)) return {}
    const report = (node: Node, words: string | null) => {
      if (words === null || EXCEPTIONS.some((one) => one.file === file && words.includes(one.text))) return
      const shown = words.split('|').slice(0, MIN_WORDS).join(', ')
      context.report({ node, message: `words of a language (${shown}, …) belong in engine/lexicons/<language>.ts` })
    }
    const checkText = (node: Node) => {
      const text = textOf(node)
      if (text?.includes('|')) report(node, wordsOfPattern(text))
    }
    return {
      Literal(node: Literal) {
        if (node.regex) report(node, wordsOfPattern(node.regex.pattern))
        else checkText(node)
      },
      TemplateLiteral: checkText,
      ArrayExpression(node: Node & { elements: (Literal | null)[] }) {
        report(node, wordsOfList(node.elements.map((element) => element?.value)))
      },
      CallExpression(node: Call) {
        const { callee } = node
        if (callee.type === 'Identifier' && (callee.name === 'words' || callee.name === 'phrases')) {
          report(node, wordsOfList((textOf((node.arguments as Node[])[0]) ?? '').trim().split(/[\s,]+/)))
        }
        if (callee.type !== 'MemberExpression' || callee.property?.name !== 'split') return
        report(node, wordsOfList((textOf(callee.object) ?? '').trim().split(/[\s,|]+/)))
      },
    }
  },
}

export default { meta: { name: 'words' }, rules: { 'in-lexicons': wordLists } }

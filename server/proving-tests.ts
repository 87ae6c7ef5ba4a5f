import { parseAst } from 'vitest/node'

/** A node of the syntax tree, in the form of ESTree. */
type Node = { type: string; start: number; [part: string]: unknown }

const TEST = new Set(['it', 'test'])
const GROUP = new Set(['describe'])
/** Modifiers that may come between `it` and its title without the test being skipped. */
const HARMLESS = new Set(['each', 'for', 'concurrent', 'sequential'])
const OPTIONS_THAT_SKIP = new Set(['skip', 'todo', 'fails', 'only'])

/**
 * The requirements that each test of a file declares to prove, by the test's title. `proves(…)` must be the first statement of
 * a test that runs; anywhere else it is an error that names the file.
 */
export function provenIn(source: string, file: string): Map<string, Set<string>> {
  const proven = new Map<string, Set<string>>()
  const counted = new Set<Node>()
  const fault = (why: string) => new Error(`${file}: ${why}`)

  const visit = (node: Node, isRun: boolean): void => {
    const call = testCall(node)
    const runs = isRun && (call === null || call.isRun)
    const marker = call && TEST.has(call.name) ? firstStatement(call.body) : null
    if (call && marker && isMarker(marker)) {
      if (!runs) throw fault('a test that proves something must run')
      if (call.title === null) throw fault('a test that proves something needs a literal title')
      if (call.body && skipsItself(call.body)) throw fault('a test that proves something must not skip itself')
      counted.add(marker)
      const items = proven.get(call.title) ?? new Set()
      for (const item of marker['arguments'] as Node[]) items.add(String(item['value']))
      proven.set(call.title, items)
    }
    if (isMarker(node) && !counted.has(node)) throw fault('`proves` must be the first statement of a test that runs')
    for (const child of childrenOf(node)) visit(child, runs)
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, true)
  return proven
}

type TestCall = { name: string; title: string | null; body: Node | null; isRun: boolean }

/** A call of `it`, `test` or `describe`, with or without a table of cases; null for anything else. */
function testCall(node: Node): TestCall | null {
  if (node.type !== 'CallExpression') return null
  let callee = node['callee'] as Node
  let isRun = true
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    if (callee.type === 'MemberExpression') {
      isRun &&= HARMLESS.has(String((callee['property'] as Node)['name']))
      callee = callee['object'] as Node
    } else callee = callee['callee'] as Node
  }
  const name = String(callee['name'])
  if (callee.type !== 'Identifier' || !(TEST.has(name) || GROUP.has(name))) return null
  const given = node['arguments'] as Node[]
  const options = given
    .filter(({ type }) => type === 'ObjectExpression')
    .flatMap(({ properties }) => properties as Node[])
  isRun &&= !options.some(({ key }) => OPTIONS_THAT_SKIP.has(String((key as Node | undefined)?.['name'])))
  const title = given[0]?.type === 'Literal' ? String(given[0]['value']) : null
  const body = given.find(({ type }) => /^(ArrowFunction|Function)Expression$/.test(type)) ?? null
  return { name, title, body, isRun }
}

function firstStatement(body: Node | null): Node | null {
  const block = body?.['body'] as Node | undefined
  const first = block?.type === 'BlockStatement' ? (block['body'] as Node[])[0] : undefined
  return first?.type === 'ExpressionStatement' ? (first['expression'] as Node) : null
}

function isMarker(node: Node): boolean {
  return node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'proves'
}

/** True when a test may skip itself while it runs, as by `context.skip()`. */
function skipsItself(node: Node): boolean {
  if (node.type === 'MemberExpression' && (node['property'] as Node)['name'] === 'skip') return true
  return childrenOf(node).some(skipsItself)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(
      (value): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string',
    )
}

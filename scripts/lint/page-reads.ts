import path from 'node:path'

/**
 * A browser test reads the state of a page with `expect.poll`: a page renders a while after a click or a reply, so one read may come too early.
 * `expect(await locator.inputValue())` and `expect(page.url())` are such reads.
 */
const root = path.resolve(import.meta.dirname, '../..')

/** Methods of Playwright's locators and pages that read once, without waiting for a state. */
const READS: ReadonlySet<string> = new Set(
  (
    'allInnerTexts allTextContents count getAttribute innerHTML innerText inputValue isChecked isDisabled isEditable ' +
    'isEnabled isHidden isVisible textContent title'
  ).split(' '),
)

type Node = { type: string; [field: string]: unknown }
type CallNode = Node & { callee: Node; arguments: Node[] }
type Context = { filename: string; report(problem: { node: object; message: string }): void }

const HOW = 'a page may show this a moment later: await expect.poll(() => ...)'

/** `count` of `rows.count()`; null for anything but a method call. */
function methodOf(node: Node | undefined): { name: string; object: Node } | null {
  if (node?.type !== 'CallExpression') return null
  const { callee } = node as CallNode
  if (callee.type !== 'MemberExpression' || (callee.property as Node).type !== 'Identifier') return null
  return { name: String((callee.property as Node).name), object: callee.object as Node }
}

/** Whether an expression holds a call of `url()`. */
function readsAddress(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(readsAddress)
  if (node === null || typeof node !== 'object') return false
  if (methodOf(node as Node)?.name === 'url') return true
  return Object.entries(node).some(([field, value]) => field !== 'parent' && readsAddress(value))
}

function readsOnce(value: Node): boolean {
  if (value.type !== 'AwaitExpression') return readsAddress(value)
  const method = methodOf(value.argument as Node)
  if (method === null) return false
  if (method.name === 'evaluate') return method.object.type === 'Identifier' && method.object.name === 'page'
  return READS.has(method.name)
}

const pageReads = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    if (!/^e2e\/.*\.ts$/.test(file)) return {}
    return {
      CallExpression({ callee, arguments: [value] }: CallNode) {
        if (callee.type !== 'Identifier' || callee.name !== 'expect' || value === undefined) return
        if (readsOnce(value)) context.report({ node: value, message: HOW })
      },
    }
  },
}

export default { meta: { name: 'pages' }, rules: { 'read-with-poll': pageReads } }

import path from 'node:path'

/**
 * A module of the server or of a connector holds no mutable state: what a process remembers is a cache that its composition
 * root owns (`server/platform/caches.ts`, `context.cache` in connectors). Tables that are complete once the module is loaded are
 * allowed.
 */
const root = path.resolve(import.meta.dirname, '../..')

const CHECKED = /^(server|connectors)\/.*\.ts$/
/** Test code, and the main module of a child process or thread, which is its own composition root. */
const EXEMPT = /(\.test\.ts|\/testing\.ts|\/vitest[^/]*\.ts|^server\/(faults|ops)\/.*\.ts)$/
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  'server/cli/program.ts',
  'server/features/insights/grouping/thread.ts',
  'server/features/embeddings/models/local-thread.ts',
  'server/features/backup/scheduled/writer.ts',
])

const MUTATORS: ReadonlySet<string> = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
)
/** Classes whose instances do not change, or change only through the methods above, or hold what belongs to one call. */
const VALUES: ReadonlySet<string> = new Set(
  'Map Set Array Date RegExp URL Error TextEncoder TextDecoder Intl Uint8Array Uint16Array Float32Array Float64Array AsyncLocalStorage'.split(
    ' ',
  ),
)
const WEAK: ReadonlySet<string> = new Set(['WeakMap', 'WeakSet', 'WeakRef'])

type Node = { type: string; parent?: Node; [field: string]: unknown }
type ImportNode = { source?: { value?: unknown } | null }
type Reference = { identifier: Node }
type Variable = { name: string; defs: { type: string; node: Node; parent?: Node | null }[]; references: Reference[] }
type Scope = { type: string; variables: Variable[]; childScopes: Scope[] }
type Context = {
  filename: string
  sourceCode: { scopeManager: { globalScope: Scope | null } }
  report(problem: { node: object; message: string }): void
}

const HOW =
  'what a process remembers is a cache: defineCache in server/platform/caches.ts, context.cache in a connector'

/** True within a function: code that runs after the module was loaded. */
function runsLater(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (/Function/.test(at.type)) return true
  return false
}

/** `a` of `a.b[0].c`, and the whole expression; the result of a call is not followed. */
function outermostMember(identifier: Node): Node {
  let at = identifier
  while (at.parent?.type === 'MemberExpression' && at.parent.object === at) at = at.parent
  return at
}

/** Whether this use of a variable changes the value that it holds. */
function mutates(identifier: Node): boolean {
  const member = outermostMember(identifier)
  const user = member.parent
  if (!user || member === identifier) return false
  if (user.type === 'AssignmentExpression') return user.left === member
  if (user.type === 'UpdateExpression') return true
  if (user.type === 'UnaryExpression') return user.operator === 'delete'
  if (user.type !== 'CallExpression' || user.callee !== member) return false
  const property = member.property as Node
  return property.type === 'Identifier' && MUTATORS.has(String(property.name))
}

function constructed(init: unknown): string | null {
  const node = init as Node | null | undefined
  if (node?.type !== 'NewExpression') return null
  let callee = node.callee as Node
  while (callee.type === 'MemberExpression') callee = callee.object as Node
  return callee.type === 'Identifier' ? String(callee.name) : 'a class'
}

/** Why a declaration at the top of a module is state, or null. */
function problemOf(variable: Variable): string | null {
  const [definition] = variable.defs
  const changed = variable.references.some(({ identifier }) => mutates(identifier) && runsLater(identifier))
  if (definition?.type === 'ImportBinding' && changed)
    return `${variable.name} is changed outside of its module; ${HOW}`
  if (definition?.type !== 'Variable') return null
  if (definition.parent?.kind !== 'const') return `${variable.name} is a variable of the module; ${HOW}`
  const name = constructed(definition.node.init)
  if (name !== null && WEAK.has(name)) return `${variable.name} is a ${name} of the module; ${HOW}`
  if (name !== null && !VALUES.has(name)) return `${variable.name} is an instance that the module holds; ${HOW}`
  return changed ? `${variable.name} changes after the module was loaded; ${HOW}` : null
}

/** The scope of the module's own declarations. */
function moduleScope({ sourceCode }: Context): Scope | null {
  const global = sourceCode.scopeManager.globalScope
  return global?.childScopes.find((scope) => scope.type === 'module') ?? global
}

/** Whether a file of the project is checked. */
export function isChecked(file: string): boolean {
  return CHECKED.test(file) && !EXEMPT.test(file) && !ENTRY_POINTS.has(file)
}

const processState = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    if (!isChecked(file)) return {}
    return {
      Program(program: Node & { body: ImportNode[] }) {
        // Test code in its own file.
        if (program.body.some(({ source }) => source?.value === 'vitest')) return
        for (const variable of moduleScope(context)?.variables ?? []) {
          const problem = problemOf(variable)
          const [definition] = variable.defs
          if (problem !== null && definition) context.report({ node: definition.node, message: problem })
        }
      },
      PropertyDefinition(node: Node) {
        if (!node.static || node.readonly) return
        context.report({ node, message: `a static field that is not readonly is state of the module; ${HOW}` })
      },
    }
  },
}

export default { meta: { name: 'process' }, rules: { state: processState } }

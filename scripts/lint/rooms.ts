import path from 'node:path'
import { connectorIds } from './connector-ids.ts'

/**
 * The packages of docs/architecture.md and who may import whom, as one lint rule. A file belongs to the first entry whose
 * pattern it matches; an import is allowed when the target's room, or the library's name, is in the list of its room.
 */
const root = path.resolve(import.meta.dirname, '../..')

type Room = { room: string; files: RegExp; may: string[]; libraries: RegExp[] }

const rooms: Room[] = [
  { room: 'contract', files: /^contract\//, may: ['contract'], libraries: [/^zod/] },
  { room: 'engine', files: /^engine\//, may: ['engine', 'contract'], libraries: [/^@orama\/stemmers/] },
  { room: 'kit', files: /^connectors\/(kit\/|connector\.ts$)/, may: ['kit', 'contract'], libraries: [/./] },
  { room: 'sandbox', files: /^connectors\/sandbox\//, may: ['sandbox', 'kit', 'contract'], libraries: [/./] },
  {
    room: 'connectors',
    files: /^connectors\/[^/]+\.ts$/,
    may: ['connector', 'kit', 'contract', 'connectors'],
    libraries: [/./],
  },
  { room: 'connector', files: /^connectors\/[^/]+\//, may: ['kit', 'contract', 'same'], libraries: [/./] },
  { room: 'platform', files: /^server\/platform\//, may: ['platform', 'contract'], libraries: [/./] },
  {
    room: 'auth',
    files: /^server\/auth\//,
    may: ['auth', 'below-auth', 'platform', 'contract'],
    libraries: [/./],
  },
  {
    room: 'feature',
    files: /^server\/features\/[^/]+\//,
    may: ['same', 'front', 'auth-front', 'platform', 'contract', 'engine-door', 'connectors-door'],
    libraries: [/./],
  },
  {
    room: 'door',
    files: /^server\//,
    may: ['door', 'front', 'auth-front', 'platform', 'contract', 'engine-door', 'connectors-door', 'demo-sandbox'],
    libraries: [/./],
  },
  { room: 'ui', files: /^web\/ui\//, may: ['ui'], libraries: [/^(?!node:|@groundswell)/] },
  {
    room: 'screen',
    files: /^web\/features\/[^/]+\//,
    may: ['same', 'screen-front', 'ui', 'contract'],
    libraries: [/^(?!node:)/],
  },
  { room: 'app', files: /^web\//, may: ['app', 'screen', 'ui', 'contract'], libraries: [/./] },
  {
    room: 'e2e',
    files: /^e2e\//,
    may: ['e2e', 'contract', 'sandbox', 'door', 'platform', 'connectors-door'],
    libraries: [/./],
  },
  {
    room: 'scripts',
    files: /^scripts\//,
    may: ['scripts', 'contract', 'platform', 'front', 'auth-front', 'sandbox', 'door'],
    libraries: [/./],
  },
  { room: 'fixtures', files: /^fixtures\//, may: ['fixtures', 'contract', 'engine'], libraries: [/./] },
  { room: 'engine-bench', files: /^bench\/engine\//, may: ['engine-bench', 'fixtures', 'engine'], libraries: [/./] },
  {
    room: 'product-bench',
    files: /^bench\/product\//,
    may: [
      'product-bench',
      'engine-bench',
      'contract',
      'engine-door',
      'platform',
      'front',
      'auth-front',
      'sandbox',
      'door',
    ],
    libraries: [/./],
  },
]

const isTest = (file: string) => /(\.test\.tsx?|\/testing\.ts|vitest[^/]*\.ts)$/.test(file)
const roomOf = (file: string) => rooms.find((entry) => entry.files.test(file))
/** The folder that is one noun, one connector or one screen. */
const nounOf = (file: string) => /^(connectors\/[^/]+|server\/features\/[^/]+|web\/features\/[^/]+)\//.exec(file)?.[1]

/** The file, relative to the project, that an import names; null for a library. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('@groundswell/')) return specifier.slice('@groundswell/'.length)
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
  return null
}

/** Why this import is against the rules, or null. Exported for its test. */
export function trespass(file: string, specifier: string): string | null {
  const room = roomOf(file)
  if (!room) return null
  const target = targetOf(file, specifier.replace(/\?.*$/, ''))
  const testing = isTest(file)
  if (target === null) {
    if (testing || room.libraries.some((pattern) => pattern.test(specifier))) return null
    return `${room.room} may not use the library ${specifier}`
  }
  if (specifier.startsWith('.') && target.split('/')[0] !== file.split('/')[0]) {
    return `name another room by its package: @groundswell/${target}`
  }
  const there = roomOf(target)
  if (!there) return `${specifier} is in no room`
  const names = new Set<string>([there.room])
  const noun = nounOf(target)
  if (noun && noun === nounOf(file)) names.add('same')
  if (/^server\/features\/[^/]+\/index\.ts$/.test(target)) names.add('front')
  // `server/auth` is below the features, except the two whose tables it writes to through their public functions.
  if (/^server\/features\/(audit|connections)\/index\.ts$/.test(target)) names.add('below-auth')
  if (target === 'server/auth/index.ts') names.add('auth-front')
  if (target === 'server/auth/testing.ts') names.add('auth-testing')
  if (/^web\/features\/[^/]+\/index\.tsx?$/.test(target)) names.add('screen-front')
  if (target === 'engine/index.ts') names.add('engine-door')
  if (
    target === 'connectors/index.ts' ||
    target === 'connectors/connector.ts' ||
    target.startsWith('connectors/kit/')
  ) {
    names.add('connectors-door')
  }
  if (there.room === 'sandbox' && /^server\/demo[^/]*(\.ts$|\/)/.test(file)) names.add('demo-sandbox')
  const may = testing
    ? [
        ...room.may,
        'sandbox',
        'fixtures',
        'engine-bench',
        'connectors',
        'connector',
        'platform',
        'door',
        'front',
        'auth-front',
        'auth-testing',
      ]
    : room.may
  if (may.some((name) => names.has(name))) return null
  return `${room.room} may not import ${target} (docs/architecture.md, "Packages")`
}

type ImportNode = { source?: { value?: unknown } | null }
type Context = { filename: string; report(problem: { node: object; message: string }): void }

const rule = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    const check = (node: ImportNode) => {
      const { source } = node
      if (!source || typeof source.value !== 'string') return
      const reason = trespass(file, source.value)
      if (reason) context.report({ node: source, message: reason })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

/** Catch-all file names say nothing; a folder's noun does. */
const vague = /(^|\/)(utils?|helpers?|misc|common|types)(\/|\.[jt]sx?$)/
const kebab = /^[a-z0-9_]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|tsx|js|mjs)$/
const naming = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    return {
      Program(node: object) {
        if (vague.test(file)) context.report({ node, message: `${file}: a name that says nothing` })
        if (!kebab.test(path.basename(file))) context.report({ node, message: `${file}: file names are kebab-case` })
      },
    }
  },
}

export default { meta: { name: 'house' }, rules: { rooms: rule, names: naming, 'connector-ids': connectorIds } }

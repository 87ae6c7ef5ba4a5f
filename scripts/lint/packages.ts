import path from 'node:path'
import { connectorIds } from './connector-ids.ts'

/**
 * The packages of docs/architecture.md and who may import whom, as one lint rule. A file belongs to the first entry whose
 * pattern it matches; an import is allowed when the target's package, or the library's name, is in the list of its package.
 */
const root = path.resolve(import.meta.dirname, '../..')

/** `may` names packages and entry points of packages; `libraries` are patterns of library names. */
type Package = { name: string; files: RegExp; may: string[]; libraries: RegExp[] }

const packages: Package[] = [
  { name: 'contract', files: /^contract\//, may: ['contract'], libraries: [/^zod/] },
  { name: 'client', files: /^client\//, may: ['client', 'contract'], libraries: [/^node:/] },
  { name: 'encoder', files: /^encoder\//, may: ['encoder'], libraries: [/^node:/] },
  { name: 'engine', files: /^engine\//, may: ['engine', 'contract'], libraries: [/^@orama\/stemmers/] },
  {
    name: 'kit',
    files: /^connectors\/(kit\/|(connector|context|file-table|poster|source-report|tracker)\.ts$)/,
    may: ['kit', 'contract'],
    libraries: [/./],
  },
  { name: 'sandbox', files: /^connectors\/sandbox\//, may: ['sandbox', 'kit', 'contract'], libraries: [/./] },
  {
    name: 'connectors',
    files: /^connectors\/[^/]+\.ts$/,
    may: ['connector', 'kit', 'contract', 'connectors'],
    libraries: [/./],
  },
  { name: 'connector', files: /^connectors\/[^/]+\//, may: ['kit', 'contract', 'same'], libraries: [/./] },
  { name: 'platform', files: /^server\/platform\//, may: ['platform', 'contract', 'encoder-entry'], libraries: [/./] },
  {
    name: 'auth',
    files: /^server\/auth\//,
    may: ['auth', 'below-auth', 'platform', 'contract'],
    libraries: [/./],
  },
  {
    name: 'feature',
    files: /^server\/features\/[^/]+\//,
    may: ['same', 'feature-entry', 'auth-entry', 'platform', 'contract', 'engine-entry', 'connectors-entry'],
    libraries: [/./],
  },
  {
    name: 'entry-point',
    files: /^server\//,
    may: [
      'entry-point',
      'feature-entry',
      'auth-entry',
      'platform',
      'contract',
      'engine-entry',
      'connectors-entry',
      'demo-sandbox',
    ],
    libraries: [/./],
  },
  { name: 'ui', files: /^web\/ui\//, may: ['ui', 'web-address'], libraries: [/^(?!node:|@groundswell)/] },
  {
    name: 'screen',
    files: /^web\/features\/[^/]+\//,
    may: ['same', 'screen-entry', 'ui', 'contract'],
    libraries: [/^(?!node:)/],
  },
  { name: 'app', files: /^web\//, may: ['app', 'screen', 'ui', 'contract'], libraries: [/./] },
  {
    name: 'e2e',
    files: /^e2e\//,
    may: ['e2e', 'contract', 'sandbox', 'entry-point', 'platform', 'connectors-entry'],
    libraries: [/./],
  },
  {
    name: 'scripts',
    files: /^scripts\//,
    may: ['scripts', 'contract', 'platform', 'feature-entry', 'auth-entry', 'sandbox', 'entry-point'],
    libraries: [/./],
  },
  { name: 'fixtures', files: /^fixtures\//, may: ['fixtures', 'contract', 'engine'], libraries: [/./] },
  {
    name: 'engine-bench',
    files: /^bench\/engine\//,
    may: ['engine-bench', 'fixtures', 'engine', 'encoder'],
    libraries: [/./],
  },
  {
    name: 'product-bench',
    files: /^bench\/product\//,
    may: [
      'product-bench',
      'engine-bench',
      'contract',
      'engine-entry',
      'platform',
      'feature-entry',
      'auth-entry',
      'sandbox',
      'entry-point',
    ],
    libraries: [/./],
  },
]

/** Libraries of one folder: what it lets through is decided there. */
const HOMES: readonly { library: RegExp; folder: string }[] = [
  { library: /^@opentelemetry\//, folder: 'server/platform/traces/' },
]

/** What of the contract has no product noun: the platform, which serves any calls, uses nothing else. */
const WITHOUT_NOUNS = /^contract\/(errors|examples|route|routes|examples\/.*|values\/.*)\.ts$/

const isTest = (file: string) => /(\.test\.tsx?|\/testing\.ts|vitest[^/]*\.ts)$/.test(file)
const packageOf = (file: string) => packages.find((entry) => entry.files.test(file))
/** The folder that contains one noun, one connector or one screen. */
const nounOf = (file: string) => /^(connectors\/[^/]+|server\/features\/[^/]+|web\/features\/[^/]+)\//.exec(file)?.[1]

/** The file, relative to the project, that an import refers to; null for a library. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('@groundswell/')) return specifier.slice('@groundswell/'.length)
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
  return null
}

/** Why this import is forbidden, or null when it is allowed. Exported for its test. */
export function violationOf(file: string, specifier: string): string | null {
  const own = packageOf(file)
  if (!own) return null
  const target = targetOf(file, specifier.replace(/\?.*$/, ''))
  const testing = isTest(file)
  if (target === null) {
    const home = HOMES.find(({ library }) => library.test(specifier))
    if (home && !file.startsWith(home.folder)) return `only ${home.folder} may use ${specifier}`
    if (testing || own.libraries.some((pattern) => pattern.test(specifier))) return null
    return `${own.name} may not use the library ${specifier}`
  }
  if (specifier.startsWith('.') && target.split('/')[0] !== file.split('/')[0]) {
    return `import another package by its name: @groundswell/${target}`
  }
  const there = packageOf(target)
  if (!there) return `${specifier} is in no package`
  const names = new Set<string>([there.name])
  const noun = nounOf(target)
  if (noun && noun === nounOf(file)) names.add('same')
  if (/^server\/features\/[^/]+\/index\.ts$/.test(target)) names.add('feature-entry')
  // `server/auth` is below the features, except for those to whose tables it writes through their public functions.
  if (/^server\/features\/(audit|connections|insights|workspaces)\/index\.ts$/.test(target)) names.add('below-auth')
  // What may become a link is one rule, for components too.
  if (target === 'contract/values/web-address.ts') names.add('web-address')
  if (own.name === 'platform' && !testing && !WITHOUT_NOUNS.test(target)) names.delete('contract')
  if (target === 'server/auth/index.ts') names.add('auth-entry')
  if (target === 'server/auth/testing.ts') names.add('auth-testing')
  if (/^web\/features\/[^/]+\/index\.tsx?$/.test(target)) names.add('screen-entry')
  if (target === 'engine/index.ts') names.add('engine-entry')
  if (target === 'encoder/index.ts') names.add('encoder-entry')
  if (
    target === 'connectors/index.ts' ||
    target === 'connectors/connector.ts' ||
    target === 'connectors/tracker.ts' ||
    target === 'connectors/poster.ts' ||
    target === 'connectors/file-table.ts' ||
    target.startsWith('connectors/kit/')
  ) {
    names.add('connectors-entry')
  }
  if (there.name === 'sandbox' && /^server\/demo[^/]*(\.ts$|\/)/.test(file)) names.add('demo-sandbox')
  const may = testing
    ? [
        ...own.may,
        'sandbox',
        'fixtures',
        'engine-bench',
        'encoder',
        'connectors',
        'connector',
        'platform',
        'entry-point',
        'feature-entry',
        'auth-entry',
        'auth-testing',
      ]
    : own.may
  if (may.some((name) => names.has(name))) return null
  return `${own.name} may not import ${target} (docs/architecture.md, "Packages")`
}

type ImportNode = { source?: { value?: unknown } | null }
type Context = { filename: string; report(problem: { node: object; message: string }): void }

const rule = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    const check = (node: ImportNode) => {
      const { source } = node
      if (!source || typeof source.value !== 'string') return
      const reason = violationOf(file, source.value)
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

/** Catch-all file names carry no meaning; a folder's noun does. */
const vague = /(^|\/)(utils?|helpers?|misc|common|types)(\/|\.[jt]sx?$)/
const kebab = /^[a-z0-9_]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|tsx|js|mjs)$/
const naming = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    return {
      Program(node: object) {
        if (vague.test(file)) context.report({ node, message: `${file}: the name is a catch-all` })
        if (!kebab.test(path.basename(file))) context.report({ node, message: `${file}: file names are kebab-case` })
      },
    }
  },
}

export default { meta: { name: 'house' }, rules: { packages: rule, names: naming, 'connector-ids': connectorIds } }

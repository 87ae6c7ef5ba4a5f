import type { Plugin, Rolldown } from 'vite'

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>

/** The modules of each screen, below `web/`, by its address. */
type Screens = Readonly<Record<string, readonly string[]>>

/**
 * Lets the browser fetch the files of an address's screen in parallel with the entry, instead of after it has run: a small
 * script in the page, with the page's nonce, that contains the list of them. Without a token `signedOut` is shown.
 */
export function routePreload(screens: Screens, signedOut: string): Plugin {
  return {
    name: 'route-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        const entry = filesOf(bundle, 'main.tsx')
        const files = Object.fromEntries(
          Object.entries(screens).map(([address, modules]) => [
            address,
            [...new Set(modules.flatMap((module) => [...filesOf(bundle, module)]))].filter((file) => !entry.has(file)),
          ]),
        )
        // Before the styles: a script after them would wait for them.
        const script = `<script nonce="__CSP_NONCE__">${scriptFor(files, signedOut)}</script>`
        return html.replace('<script type="module"', () => `${script}\n    <script type="module"`)
      },
    },
  }
}

function scriptFor(files: Record<string, string[]>, signedOut: string): string {
  const address = `localStorage.getItem('token')?location.pathname:${JSON.stringify(signedOut)}`
  return (
    `for(const f of ${JSON.stringify(files)}[${address}]||[])` +
    `document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href:'/'+f}))`
  )
}

/** A module's own file and all its static imports. The entry's module represents the page. */
function filesOf(bundle: Bundle, module: string): Set<string> {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const chunk = chunks.find(
    ({ facadeModuleId, isEntry }) => facadeModuleId?.endsWith(`/web/${module}`) || (isEntry && module === 'main.tsx'),
  )
  if (!chunk) throw new Error(`The build has no file for ${module}`)
  const seen = new Set<string>()
  const add = (file: string) => {
    const one = bundle[file]
    if (seen.has(file) || one?.type !== 'chunk') return
    seen.add(file)
    one.imports.forEach(add)
  }
  add(chunk.fileName)
  return seen
}

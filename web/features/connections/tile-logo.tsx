import { Plug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useKnownConnectors } from './connector-names.ts'
import { SPEC_TILES } from './spec-tiles.tsx'
import type { Tile } from './tiles.ts'

const MAX_LOGO_CHARACTERS = 16_384

/** A tile's logo on a light background in both themes, for the brands' own colours. */
export function TileLogo({ tile: { spec, entry } }: { tile: Tile }) {
  return (
    <span className="flex size-10 shrink-0 items-center justify-center rounded border border-line bg-[#fff] text-[#4a4a4a] [&>*]:size-6">
      {spec ? <spec.Logo /> : <CatalogueLogo svg={entry?.manifest.logo} />}
    </span>
  )
}

/** The logo of a source at the size of text. */
export function SourceMark({ source }: { source: string }) {
  const spec = SPEC_TILES.find(({ id }) => id === source)
  const entries = useKnownConnectors(!spec)
  const entry = entries.find(({ manifest }) => manifest.id === source)
  if (!spec && !entry) return null
  return (
    <span
      aria-hidden
      className="inline-flex size-4 shrink-0 items-center justify-center rounded-small bg-[#fff] text-[#4a4a4a] [&>*]:size-3.5"
    >
      {spec ? <spec.Logo /> : <CatalogueLogo svg={entry?.manifest.logo} />}
    </span>
  )
}

/** An SVG of the catalogue. As an image it runs no script and fetches nothing; a malformed one is replaced by a plain icon. */
function CatalogueLogo({ svg }: { svg: unknown }): ReactNode {
  const [broken, setBroken] = useState<unknown>(null)
  if (typeof svg !== 'string' || svg === '' || svg.length > MAX_LOGO_CHARACTERS || broken === svg) {
    return <Plug aria-hidden data-plain-logo />
  }
  const src = `data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}`
  return <img alt="" src={src} onError={() => setBroken(svg)} />
}

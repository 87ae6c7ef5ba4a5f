import { describe, expect, it } from 'vitest'
import { templateSource } from './_template-source/index.ts'
import { sourceChecks } from './conformance/source-checks.ts'
import type { Connector } from './connector.ts'
import { connectors } from './index.ts'
import type { SourceSample } from './kit/sample.ts'

const all: readonly Connector[] = [...connectors, templateSource]
const pulling = all.filter((connector) => connector.pull)

async function sampleOf(connector: Connector): Promise<SourceSample> {
  const path = new URL(`./${connector.manifest.id}/testing.ts`, import.meta.url).href
  const loaded = (await import(path)) as { source: SourceSample }
  return loaded.source
}

describe.each(pulling.map((connector) => [connector.manifest.id, connector] as const))('%s pulls', (_, connector) => {
  for (const check of sourceChecks) {
    it(check.name, async (test) => {
      expect.hasAssertions()
      const skipped = await check.run({ connector, open: await sampleOf(connector) })
      if (skipped !== undefined) test.skip(skipped)
    })
  }
})

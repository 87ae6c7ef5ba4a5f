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
  it.for(sourceChecks.map((check) => [check.name, check] as const))('%s', async ([, check], test) => {
    expect.hasAssertions()
    const skipped = await check.run({ connector, open: await sampleOf(connector) })
    if (skipped !== undefined) test.skip(skipped)
  })
})

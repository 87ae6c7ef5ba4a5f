// Measures every source against its stand-in and writes docs/benchmarks/sources.md.   npm run bench:sources [-- --only=ID]
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { readVolume } from './conformance/volume-run.ts'
import { connectors } from './index.ts'

const MEASURED_AT = [10_000, 30_000, 60_000]
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const sources = connectors.filter(({ pull, manifest }) => pull && (values.only ?? manifest.id) === manifest.id)
const load = () => loadavg()[0]?.toFixed(1)
const machine = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores of ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load at the start ${load()}`
const requests: string[] = []
const memory: string[] = []
const reasons: string[] = []
for (const connector of sources) {
  const { label } = connector.manifest
  const small = await readVolume(connector, { threads: 500, messages: 2 }, [])
  const ratio = small.requests / small.least
  requests.push(
    `| ${label} | ${small.items} | ${small.requests} | ${small.least} | ${ratio.toFixed(2)} | ${ratio <= 1.2 ? 'met' : 'missed'} |`,
  )
  reasons.push(`- ${label}: ${small.why}.`)
  const large = await readVolume(connector, { threads: 3000, messages: 20 }, MEASURED_AT)
  const heap = large.heap.map(({ bytes }) => bytes / 1024 ** 2)
  const growth = (heap.at(-1) ?? Number.NaN) / (heap[0] ?? Number.NaN)
  memory.push(
    `| ${label} | ${large.items} | ${heap.map((size) => size.toFixed(1)).join(' | ')} | ${growth.toFixed(2)} | ${large.requests} | ${large.seconds.toFixed(0)} |`,
  )
  process.stderr.write(`${requests.at(-1)}\n${memory.at(-1)}\n`)
}
const text = `# Sources

Written by \`npm run bench:sources\`: each source reads its stand-in once, from the beginning.
${machine}; load at the end ${load()}.

## Requests

500 threads of 2 messages. The target is at most 1.2 times the least number of requests.

| source | items | requests | least | ratio | |
| --- | ---: | ---: | ---: | ---: | --- |
${requests.join('\n')}

The least is what the provider's documented page sizes and calls allow:

${reasons.join('\n')}

## Memory

3,000 threads of 20 messages. The connector's heap in MiB after a garbage collection, once 10,000, 30,000 and 60,000 items were read;
the stand-in runs in a thread with its own heap. Growth is the last as a multiple of the first.

| source | items | 10,000 | 30,000 | 60,000 | growth | requests | seconds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${memory.join('\n')}
`
process.stdout.write(text)
if (values.only === undefined) writeFileSync(new URL('../docs/benchmarks/sources.md', import.meta.url), text)

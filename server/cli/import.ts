import { considerPush } from '../features/deliveries/index.ts'
import { vectorSource } from '../features/embeddings/index.ts'
import { createImport, runImport } from '../features/feedback/index.ts'
import { groupNow, requestGrouping } from '../features/insights/index.ts'
import { fileOptions, howRead, inputFile, type ReadingOptions } from './input-file.ts'
import { withInstallation, workspaceOf } from './installation.ts'
import { progressBar } from './progress-bar.ts'
import { UsageError } from './usage-error.ts'

export type ImportFileOptions = ReadingOptions & { to?: string }

const SHOWN_PROBLEMS = 20

/**
 * Brings a file into this installation: stored first, then read and grouped here, whether or not a server runs. Bad rows are
 * told by line. Rows that are there already add nothing.
 */
export async function importFile(argument: string, options: ImportFileOptions): Promise<void> {
  const file = await inputFile(argument)
  const reading = fileOptions(file.name, options)
  await withInstallation(async (services) => {
    const workspaceId = await workspaceOf(services, options.to)
    for (const line of await howRead(file, reading)) process.stderr.write(`${line}\n`)
    const bar = progressBar(file.name)
    const started = await createImport(services, workspaceId, reading, file.open(), { background: false })
    const done = await runImport(services, workspaceId, started.id, {
      stored: requestGrouping(services),
      onProgress: ({ added, known, bad, bytes, bytesRead }) =>
        bar.show(bytes > 0 ? bytesRead / bytes : null, `${added} added, ${known} known, ${bad} bad`),
    })
    bar.end()
    if (done.state === 'failed') throw new UsageError(`${file.name}: ${done.error}`)
    const report = process.stdout
    report.write(`${done.added} added, ${done.known} already there, ${done.bad} could not be read.\n`)
    for (const problem of done.problems.slice(0, SHOWN_PROBLEMS))
      report.write(`  line ${problem.line}: ${problem.reason}\n`)
    if (done.bad > SHOWN_PROBLEMS) report.write(`  … and ${done.bad - SHOWN_PROBLEMS} more\n`)
    if (done.added > 0) {
      process.stderr.write('Grouping …\n')
      await groupNow(services, workspaceId, { changed: considerPush(services), vectors: vectorSource(services) })
      report.write('Grouped.\n')
    }
  })
}

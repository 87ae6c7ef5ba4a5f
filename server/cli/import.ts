import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { type Import, MAX_OWN_PEOPLE } from '@groundswell/contract/feedback.ts'
import { considerPush } from '../features/deliveries/index.ts'
import { requestEncoding, vectorSource } from '../features/embeddings/index.ts'
import { createImport, deleteImport, listSources, runImport } from '../features/feedback/index.ts'
import { groupNow } from '../features/insights/index.ts'
import { inWorkspace } from '../platform/db/tenant.ts'
import type { Services } from '../platform/services.ts'
import { feedbackHooks } from '../wiring.ts'
import { fileOptions, inputFile, type ReadingOptions, readingNotes } from './input-file.ts'
import { withInstallation, workspaceOf } from './installation.ts'
import { progressBar } from './progress-bar.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

type ImportFileOptions = ReadingOptions & {
  to?: string
  source?: string
  name?: string
  replace?: boolean
  keep?: boolean
}

const SHOWN_PROBLEMS = 20

/**
 * Imports a file into this installation: it is stored, then read and grouped here, whether or not a server runs. Bad and
 * repeated rows are listed by line. Rows that are already stored add nothing; one that would replace stored text needs
 * `--replace` or `--keep`, else nothing is imported.
 */
export async function importFile(terminal: Terminal, argument: string, options: ImportFileOptions): Promise<void> {
  const file = await inputFile(terminal, argument)
  const reading = fileOptions(file.name, options)
  await withInstallation(terminal, async (services) => {
    const workspaceId = await workspaceOf(services, options.to, '--to')
    for (const line of await readingNotes(file, reading)) terminal.stderr.write(`${line}\n`)
    const bar = progressBar(file.name, terminal.stderr)
    const hooks = feedbackHooks(services)
    const choice = {
      ...reading,
      source: await sourceOf(services, workspaceId, options.source),
      sourceName: options.name,
      onConflict: conflictOf(options),
    }
    const started = await createImport(services, workspaceId, choice, file.open(), { background: false })
    const done = await runImport(services, workspaceId, started.id, {
      ...hooks,
      onProgress: ({ added, known, bad, bytes, bytesRead }) =>
        bar.show(bytes > 0 ? bytesRead / bytes : null, `${added} added, ${known} known, ${bad} bad`),
    })
    bar.end()
    if (done.state === 'failed') throw new UsageError(`${file.name}: ${done.error}`)
    if (done.state === 'asking') {
      const replaces = done.asks?.replaces ?? 0
      await deleteImport(services, workspaceId, started.id, hooks)
      throw new UsageError(
        `${counted(replaces, 'row')} would replace the text of messages in “${done.source?.name}”. Nothing was imported. ` +
          'Add --replace to replace it (the earlier text is kept), --keep to leave it, or --source new.',
      )
    }
    const report = terminal.stdout
    report.write(`Source: ${done.source?.name}\n`)
    const replaced = done.replaced > 0 ? `${done.replaced} with a new text, ` : ''
    report.write(`${done.added} added, ${replaced}${done.known} already there, ${done.bad} could not be read.\n`)
    if (done.context > 0) report.write(ownSideText(done))
    if (done.repeated > 0)
      report.write(`${done.repeated} rows repeat an ID from earlier in the file; the last one counts:\n`)
    for (const { line, of } of done.repeats.slice(0, SHOWN_PROBLEMS)) report.write(`  row ${line} repeats row ${of}\n`)
    for (const problem of done.problems.slice(0, SHOWN_PROBLEMS))
      report.write(`  line ${problem.line}: ${problem.reason}\n`)
    if (done.bad > SHOWN_PROBLEMS) report.write(`  … and ${done.bad - SHOWN_PROBLEMS} more\n`)
    if (done.added + done.replaced > 0) {
      terminal.stderr.write('Grouping …\n')
      await groupNow(services, workspaceId, {
        changed: considerPush(services),
        grouped: requestEncoding(services),
        vectors: vectorSource(services),
      })
      report.write('Grouped.\n')
    }
  })
}

function ownSideText({ context, context_left_out: leftOut, own_people: people }: Import): string {
  const most = people.length < MAX_OWN_PEOPLE ? '' : ' or more'
  const by = people.length > 0 ? ` by ${people.length}${most} of your own people (${people.join(', ')})` : ''
  const without = leftOut > 0 ? `; ${leftOut} of them belong to no conversation and were left out` : ''
  return `${context} replies${by} were read as context${without}. --own-replies feedback reads them as feedback.\n`
}

function conflictOf({ replace = false, keep = false }: ImportFileOptions): 'ask' | 'replace' | 'keep' {
  if (replace && keep) throw new UsageError('Give --replace or --keep, not both.')
  return replace ? 'replace' : keep ? 'keep' : 'ask'
}

/** The id of the source of this name; undefined when none was named. */
async function sourceOf(
  services: Services,
  workspaceId: string,
  name: string | undefined,
): Promise<string | undefined> {
  if (name === undefined || name === 'new') return name
  const sources = await inWorkspace(services.db, workspaceId, (tx) => listSources(tx, workspaceId))
  const found = sources.find((source) => source.name === name || source.id === name)
  if (found) return found.id
  const known = sources.map((source) => `“${source.name}”`).join(', ')
  throw new UsageError(`There is no source “${name}”. ${known ? `There are ${known}.` : 'No file was imported yet.'}`)
}

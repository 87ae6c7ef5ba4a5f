import { ContractError } from '@groundswell/contract/errors.ts'
import {
  getComparisonSessions,
  getComparisonUsage,
  getDirOptions,
  getGeneratorOptions,
  getInputOptions,
  listComparisonProblems,
  setDir,
  setGeneratorFilter,
  setInputFilter,
} from '@groundswell/contract/evaluation/comparisons.ts'
import type { BodyOf } from '@groundswell/contract/route.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { compare, filterRuns, optionsOf, sourcesOf, usageOf } from './compare.ts'
import type { Run } from './run.ts'
import { type Directory, runFiles } from './run-files.ts'
import { readSelection, type Selection, writeSelection } from './store.ts'

/** The comparison directories that a workspace itself has, besides those of the installation. Their names differ from those of folders. */
export type OwnDirectories = {
  names(workspaceId: string): Promise<string[]>
  /** Null when the workspace has no such directory. */
  read(workspaceId: string, name: string): Promise<Directory | null>
}

const NONE: OwnDirectories = { names: async () => [], read: async () => null }

/** Generator outputs side by side, for administrators. What is chosen belongs to the account, not to a browser. */
export function comparisonRoutes(services: Services, own: OwnDirectories = NONE): Handler[] {
  const files = runFiles(services.config)

  const selectionOf = ({ workspaceId, accountId }: Caller) =>
    inWorkspace(services.db, workspaceId, (tx) => readSelection(tx, workspaceId, accountId))
  const choose = ({ workspaceId, accountId }: Caller, selection: Selection) =>
    inWorkspace(services.db, workspaceId, (tx) => writeSelection(tx, workspaceId, accountId, selection))

  const namesFor = async ({ workspaceId }: Caller) => [
    ...(await files.directories()),
    ...(await own.names(workspaceId)),
  ]
  const directoryOf = async ({ workspaceId }: Caller, dirName: string): Promise<Directory> => {
    const directory = (await files.read(dirName)) ?? (await own.read(workspaceId, dirName))
    if (!directory) throw new ContractError('not_found', 'There is no such comparison directory')
    return directory
  }
  /** The outputs of the chosen generators. Refuses calls before the choices they need. */
  const chosen = async (caller: Caller) => {
    const { dirName, generatorFilter, sourceIds } = dirChosen(await selectionOf(caller))
    if (!generatorFilter) throw new ContractError('conflict', 'Apply a generator filter first')
    const { runs } = await directoryOf(caller, dirName)
    return { dirName, generatorFilter, sourceIds, runs: filterRuns(runs, generatorFilter) }
  }
  /** Of these, those that answered the chosen input. */
  const compared = async (caller: Caller) => {
    const { runs, sourceIds } = await chosen(caller)
    if (!sourceIds) throw new ContractError('conflict', 'Choose an input source first')
    return runs.filter((run: Run) => sourceIds.includes(run.source_id))
  }

  return [
    handle(getDirOptions, ({ caller }) => namesFor(caller)),

    handle(setDir, async ({ caller, body: { dir_name: dirName } }) => {
      if (!(await namesFor(caller)).includes(dirName)) {
        throw new ContractError('not_found', 'There is no such comparison directory')
      }
      await choose(caller, { dirName, generatorFilter: null, sourceIds: null })
      return { message: 'Directory chosen' }
    }),

    handle(getGeneratorOptions, async ({ caller }) => {
      const { dirName } = dirChosen(await selectionOf(caller))
      return optionsOf((await directoryOf(caller, dirName)).runs)
    }),

    handle(setGeneratorFilter, async ({ caller, body: generatorFilter }) => {
      const { dirName } = dirChosen(await selectionOf(caller))
      await choose(caller, { dirName, generatorFilter, sourceIds: null })
      return { message: 'Generators chosen' }
    }),

    handle(getInputOptions, async ({ caller }) => ({ source_ids: sourcesOf((await chosen(caller)).runs) })),

    handle(setInputFilter, async ({ caller, body: { input_filter: asked } }) => {
      const { dirName, generatorFilter, runs } = await chosen(caller)
      const sourceIds = sourceIdsOf(asked)
      const known = new Set(sourcesOf(runs))
      if (!sourceIds.every((id) => known.has(id))) {
        throw new ContractError('not_found', 'The chosen generators have not answered this input source')
      }
      await choose(caller, { dirName, generatorFilter, sourceIds })
      return { message: 'Input source chosen' }
    }),

    handle(getComparisonSessions, async ({ caller }) => compare(await compared(caller))),

    handle(getComparisonUsage, async ({ caller }) => ({ generators: usageOf(await compared(caller)) })),

    handle(listComparisonProblems, async ({ caller }) => {
      const selection = await selectionOf(caller)
      return { problems: selection ? (await directoryOf(caller, selection.dirName)).problems : [] }
    }),
  ]
}

function dirChosen(selection: Selection | null): Selection {
  if (!selection) throw new ContractError('conflict', 'Choose a directory first')
  return selection
}

function sourceIdsOf(asked: BodyOf<typeof setInputFilter>['input_filter']): string[] {
  if (typeof asked === 'string') return [asked]
  if (Array.isArray(asked)) return asked
  return 'source_ids' in asked ? asked.source_ids : [asked.source_id]
}

import { ContractError } from '@groundswell/contract/errors.ts'
import {
  getComparisonPages,
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
import { itemsOfPage, repeated } from '../../platform/files/indexed-file.ts'
import { BrokenFile, MAX_JSON_BYTES } from '../../platform/files/json-folder.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { comparisonsOf, filterRuns, type Layout, layoutOf, optionsOf, sourcesOf, usageOf } from './compare.ts'
import { type Directory, type OpenDirectory, openedDirectory, runFiles } from './run-files.ts'
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
  const directoryOf = async ({ workspaceId }: Caller, dirName: string): Promise<OpenDirectory> => {
    const opened = await files.open(dirName)
    if (opened) return opened
    const directory = await own.read(workspaceId, dirName)
    if (!directory) throw new ContractError('not_found', 'There is no such comparison directory')
    return openedDirectory(directory)
  }
  /** The outputs of the chosen generators. Refuses calls before the choices they need. */
  const chosen = async (caller: Caller) => {
    const { dirName, generatorFilter, sourceIds } = dirChosen(await selectionOf(caller))
    if (!generatorFilter) throw new ContractError('conflict', 'Apply a generator filter first')
    const directory = await directoryOf(caller, dirName)
    return { dirName, generatorFilter, sourceIds, directory, heads: filterRuns(directory.heads, generatorFilter) }
  }
  /** Those of the chosen runs that answered the chosen input. */
  const compared = async (caller: Caller) => {
    const { directory, heads, sourceIds } = await chosen(caller)
    if (!sourceIds) throw new ContractError('conflict', 'Choose an input source first')
    const asked = new Set(sourceIds)
    return { directory, heads: heads.filter((head) => asked.has(head.source_id)) }
  }
  /** The comparisons that `choose` takes of all of them. The files may change before these are read: then, all is done again. */
  const read = (caller: Caller, choose: (groups: Layout['groups']) => Layout['groups']) =>
    unlessBroken(
      repeated(async () => {
        const { directory, heads } = await compared(caller)
        const layout = layoutOf(heads)
        const groups = choose(layout.groups)
        const runs = await directory.read(groups.flatMap((group) => group.heads))
        if (!runs) return null
        const { generators } = layout
        return {
          found: { total: layout.groups.length, generators, comparisons: comparisonsOf(layout, groups, runs.found) },
        }
      }),
    )

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
      return optionsOf((await directoryOf(caller, dirName)).heads)
    }),

    handle(setGeneratorFilter, async ({ caller, body: generatorFilter }) => {
      const { dirName } = dirChosen(await selectionOf(caller))
      await choose(caller, { dirName, generatorFilter, sourceIds: null })
      return { message: 'Generators chosen' }
    }),

    handle(getInputOptions, async ({ caller }) => ({ source_ids: sourcesOf((await chosen(caller)).heads) })),

    handle(setInputFilter, async ({ caller, body: { input_filter: asked } }) => {
      const { dirName, generatorFilter, heads } = await chosen(caller)
      const sourceIds = sourceIdsOf(asked)
      const known = new Set(sourcesOf(heads))
      if (!sourceIds.every((id) => known.has(id))) {
        throw new ContractError('not_found', 'The chosen generators have not answered this input source')
      }
      await choose(caller, { dirName, generatorFilter, sourceIds })
      return { message: 'Input source chosen' }
    }),

    handle(getComparisonSessions, async ({ caller }) => {
      const { generators, comparisons } = await read(caller, (groups) => {
        if (groups.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_JSON_BYTES) throw tooLarge()
        return groups
      })
      return { generators, comparisons }
    }),

    handle(getComparisonPages, ({ caller, query: { from, count } }) =>
      read(caller, (groups) => {
        if (from > 0 && from >= groups.length)
          throw new ContractError('invalid_input', `There are ${groups.length} comparisons`, {
            from: `must be less than ${groups.length}`,
          })
        const asked = groups.slice(from, from + count)
        return asked.slice(0, itemsOfPage(asked.map(({ bytes }) => bytes)))
      }),
    ),

    handle(getComparisonUsage, async ({ caller }) => ({ generators: usageOf((await compared(caller)).heads) })),

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

function tooLarge(): ContractError {
  return new ContractError(
    'conflict',
    `These comparisons are larger than 64 MiB. GET ${getComparisonPages.path} returns them page by page`,
  )
}

/** What was read; files that cannot be read now are refused with the reason. */
async function unlessBroken<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    throw new ContractError('conflict', `A file of the directory cannot be used now. ${error.message}.`)
  }
}

function sourceIdsOf(asked: BodyOf<typeof setInputFilter>['input_filter']): string[] {
  if (typeof asked === 'string') return [asked]
  if (Array.isArray(asked)) return asked
  return 'source_ids' in asked ? asked.source_ids : [asked.source_id]
}

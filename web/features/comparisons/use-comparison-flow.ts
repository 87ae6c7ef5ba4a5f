import {
  type GeneratorOptions,
  getComparisonSessions,
  getGeneratorOptions,
  getInputOptions,
  setDir,
  setGeneratorFilter,
  setInputFilter,
} from '@groundswell/contract/comparisons.ts'
import { useState } from 'react'
import { call, logFailure } from '../client/index.ts'
import {
  NO_SESSIONS,
  NOTHING_TICKED,
  type SessionsView,
  toggleOption,
  viewOptions,
  viewSessions,
  viewSources,
} from './comparison-view.ts'

type State = {
  directory: string
  /** Null before they are loaded. */
  options: GeneratorOptions | null
  ticked: GeneratorOptions
  /** The input sources; null before the generator filter is applied. */
  sources: string[] | null
  source: string
  /** Null before a source is chosen. */
  sessions: SessionsView | null
  index: number
  busy: boolean
  /** What failed, and the way to try it again. */
  failure: { message: string; again: () => void } | null
}

const start: State = {
  directory: '',
  options: null,
  ticked: NOTHING_TICKED,
  sources: null,
  source: '',
  sessions: null,
  index: 0,
  busy: false,
  failure: null,
}

export type ComparisonFlow = State & {
  chooseDirectory: (name: string) => void
  toggle: (group: keyof GeneratorOptions, value: string | number) => void
  applyFilter: () => void
  chooseSource: (source: string) => void
  refresh: () => void
  goTo: (index: number) => void
}

/**
 * Directory → generator filter → input source → comparisons. The server remembers each step, so they are made one at a
 * time: while one runs, `busy` keeps the controls still. Each step forgets what came after it.
 */
export function useComparisonFlow(): ComparisonFlow {
  const [state, setState] = useState(start)
  const change = (part: Partial<State>) => setState((old) => ({ ...old, ...part }))

  const step = async (message: string, work: () => Promise<Partial<State>>, again: () => void) => {
    change({ busy: true, failure: null })
    try {
      const found = await work()
      change({ ...found, busy: false })
    } catch (error) {
      logFailure(message)(error)
      change({ busy: false, failure: { message, again } })
    }
  }

  const chooseDirectory = (directory: string) => {
    setState({ ...start, directory })
    if (directory === '') return
    const work = async () => {
      await call(setDir, { body: { dir_name: directory } })
      return { options: viewOptions(await call(getGeneratorOptions, {})) }
    }
    void step('Failed to set directory or load generator options.', work, () => chooseDirectory(directory))
  }

  const applyFilter = (filter: GeneratorOptions) => {
    change({ sources: null, source: '', sessions: null, index: 0 })
    const work = async () => {
      await call(setGeneratorFilter, { body: filter })
      return { sources: viewSources(await call(getInputOptions, {})) }
    }
    void step('Failed to set generator filter.', work, () => applyFilter(filter))
  }

  const chooseSource = (source: string) => {
    change({ source, sessions: null, index: 0, failure: null })
    if (source === '') return
    const work = async () => {
      await call(setInputFilter, { body: { input_filter: source } })
      const sessions = await loadSessions().catch((error: unknown) => {
        logFailure('The comparisons')(error)
        return NO_SESSIONS
      })
      return { sessions, index: 0 }
    }
    void step('Failed to set input filter.', work, () => chooseSource(source))
  }

  const refresh = (source: string, index: number) => {
    const work = async () => {
      await call(setInputFilter, { body: { input_filter: source } })
      try {
        const sessions = await loadSessions()
        return { sessions, index: Math.min(index, Math.max(0, sessions.comparisons.length - 1)) }
      } catch (error) {
        change({ sessions: NO_SESSIONS, index: 0 })
        throw error
      }
    }
    void step('Failed to refresh comparisons.', work, () => refresh(source, index))
  }

  return {
    ...state,
    chooseDirectory,
    toggle: (group, value) => setState((old) => ({ ...old, ticked: toggleOption(old.ticked, group, value) })),
    applyFilter: () => applyFilter(state.ticked),
    chooseSource,
    refresh: () => refresh(state.source, state.index),
    goTo: (index) => change({ index }),
  }
}

async function loadSessions(): Promise<SessionsView> {
  return viewSessions(await call(getComparisonSessions, {}))
}

import {
  cancelEvaluationRun,
  deleteEvaluationRun,
  type EvaluationRun,
  estimateEvaluationGrading,
  estimateEvaluationRun,
  type Grading,
  getEvaluationOptions,
  gradeEvaluationRun,
  listEvaluationRuns,
  type RunPlan,
  resumeEvaluationRun,
  startEvaluationRun,
} from '@groundswell/contract/evaluation/runs.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../ui/toast-store.ts'
import { CallError, call } from '../client/index.ts'

const RUNS = ['evaluation-runs']
/** How often the list is loaded again while something runs. */
const PROGRESS_MS = 1_000

/** Whether a run is being answered or graded now. */
export const isActive = ({ state }: EvaluationRun) => state === 'answering' || state === 'grading'

/** The runs of the workspace; null on a server without them. Loaded again while one is active. */
export function useRuns() {
  return useQuery({
    queryKey: [...RUNS, 'list'],
    queryFn: async () => {
      try {
        return (await call(listEvaluationRuns, {})).runs
      } catch (error) {
        if (error instanceof CallError && error.code === 'not_found') return null
        throw error
      }
    },
    refetchInterval: (query) => (query.state.data?.some(isActive) ? PROGRESS_MS : false),
  })
}

/** What a new run can be made of. */
export function useRunOptions() {
  return useQuery({ queryKey: [...RUNS, 'options'], queryFn: () => call(getEvaluationOptions, {}), retry: false })
}

/** The generators, sources and limits that a new run can use. */
export type RunOptions = NonNullable<ReturnType<typeof useRunOptions>['data']>

/** What a run would take; `plan` is null until it can be estimated. */
export function useEstimate(plan: RunPlan | null) {
  return useQuery({
    queryKey: [...RUNS, 'estimate', plan],
    queryFn: () => call(estimateEvaluationRun, { body: plan as RunPlan }),
    enabled: plan !== null,
    retry: false,
    gcTime: 0,
  })
}

/** What grading a run would take; `grading` is null until it can be estimated. */
export function useGradingEstimate(id: string, grading: Grading | null) {
  return useQuery({
    queryKey: [...RUNS, 'grading', id, grading],
    queryFn: () => call(estimateEvaluationGrading, { params: { run_id: id }, body: grading as Grading }),
    enabled: grading !== null && id !== '',
    retry: false,
    gcTime: 0,
  })
}

/** Starts a run; then the list of directories has it. */
export function useStartRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (plan: RunPlan) => call(startEvaluationRun, { body: plan }),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: [...RUNS, 'list'] }),
        client.invalidateQueries({ queryKey: ['comparisons', 'directories'] }),
      ])
    },
  })
}

const ACTIONS = { cancel: cancelEvaluationRun, resume: resumeEvaluationRun } as const
const FAILED = {
  cancel: 'The run was not cancelled',
  resume: 'The run was not resumed',
  grade: 'The run was not graded',
  delete: 'The run was not deleted',
} as const

/** What a person can do with a run. */
export type RunAction = keyof typeof FAILED

/** Changes a run, and shows it as it then is. */
export function useRunAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ run, action, grading }: { run: EvaluationRun; action: RunAction; grading?: Grading }) => {
      const params = { run_id: run.run_id }
      if (action === 'delete') await call(deleteEvaluationRun, { params })
      else if (action === 'grade') await call(gradeEvaluationRun, { params, body: grading ?? {} })
      else await call(ACTIONS[action], { params })
    },
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: [...RUNS, 'list'] }),
        client.invalidateQueries({ queryKey: ['comparisons', 'directories'] }),
        client.invalidateQueries({ queryKey: ['evals', 'names'] }),
      ])
    },
    onError: (error, { action }) =>
      toast({
        title: FAILED[action],
        description: error.message,
        tone: 'destructive',
      }),
  })
}

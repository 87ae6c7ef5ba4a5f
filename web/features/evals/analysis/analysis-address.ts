/** What the analysis shows. `baseline`: the session to compare with; '' for none. `evaluator`: whose scores the histogram has; '' for all. */
export type AnalysisChoice = {
  open: boolean
  baseline: string
  unreviewedOnly: boolean
  byRegression: boolean
  evaluator: string
}

/** Reads what an address shows; without it the analysis is closed. */
export function readAnalysis(address: URLSearchParams): AnalysisChoice {
  return {
    open: address.get('analysis') === '1',
    baseline: address.get('baseline') ?? '',
    unreviewedOnly: address.get('rows') === 'unreviewed',
    byRegression: address.get('order') === 'regression',
    evaluator: address.get('evaluator') ?? '',
  }
}

/** The same address with another choice; defaults are left out. */
export function withAnalysis(address: URLSearchParams, choice: AnalysisChoice): URLSearchParams {
  const next = new URLSearchParams(address)
  const parts = {
    analysis: choice.open ? '1' : '',
    baseline: choice.baseline,
    rows: choice.unreviewedOnly ? 'unreviewed' : '',
    order: choice.byRegression ? 'regression' : '',
    evaluator: choice.evaluator,
  }
  for (const [name, value] of Object.entries(parts)) {
    if (value === '' || !choice.open) next.delete(name)
    else next.set(name, value)
  }
  return next
}

import { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import { z } from 'zod'
import { Runs } from '../comparisons/index.ts'
import { Baseline } from './cases/baseline.ts'
import { Case } from './cases/case.ts'
import { Generator } from './generators/generator.ts'
import { GridFile } from './generators/grid.ts'

/** The file formats of evaluation as JSON Schema (2020-12), by the name of their file in docs/evaluation/. */
export function evaluationFormats(): Record<string, object> {
  const formats = {
    'grid.schema.json': { title: 'A grid of generators over windows of feedback', schema: GridFile },
    'generator.schema.json': {
      title: 'One generator of a grid; each field may also be a list of values',
      schema: Generator,
    },
    'comparison.schema.json': { title: 'A file of a comparison directory', schema: Runs },
    'case.schema.json': { title: 'A line of a file of cases', schema: Case },
    'baseline.schema.json': { title: 'The outcomes of an earlier run on cases', schema: Baseline },
    'eval-session.schema.json': { title: 'An eval session', schema: EvalSession },
  }
  return Object.fromEntries(
    Object.entries(formats).map(([file, { title, schema }]) => [
      file,
      { title, ...z.toJSONSchema(schema, { io: 'input' }) },
    ]),
  )
}

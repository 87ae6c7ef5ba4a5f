import { compared } from './names.ts'
import { columnFor, type Preset } from './presets/preset.ts'

/** Values of columns with these names that mark a trial answer by the authors of a survey. */
const TESTS: Readonly<Record<string, RegExp>> = {
  status: /^survey (preview|test)$/i,
  response_status: /^(survey )?(preview|test)$/i,
  response_type: /^(survey )?(preview|test)$/i,
  distribution_channel: /^(preview|test)$/i,
  is_test: /^(true|yes|1)$/i,
  is_test_data: /^(true|yes|1)$/i,
  test_data: /^(true|yes|1)$/i,
}

/** Tells why a row of a file with these columns is no feedback: a test answer, or what the product wrote itself. Null: it is. */
export function leftOut(
  columns: readonly string[],
  preset: Preset | null,
): (cells: readonly string[]) => string | null {
  const all = compared(columns)
  const tests = all.flatMap(({ plain }, at) => {
    const says = Object.hasOwn(TESTS, plain) ? TESTS[plain] : undefined
    return says ? [{ at, says, why: 'The row is a test answer, given when the survey was tried out' }] : []
  })
  const notices = (preset?.leftOut ?? []).flatMap(({ columns: names, says, why }) => {
    const column = columnFor(names, all)
    return column === null ? [] : [{ at: columns.indexOf(column), says, why }]
  })
  const rules = [...tests, ...notices]
  return (cells) => {
    const rule = rules.find(({ at, says }) => says.test(cells[at]?.trim() ?? ''))
    return rule === undefined ? null : (rule.why ?? cells[rule.at] ?? '')
  }
}

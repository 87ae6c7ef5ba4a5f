import { nameOf } from './names.ts'

/** What a column of one of these names says of an answer that the authors of a survey gave to try it out. */
const TESTS: Readonly<Record<string, RegExp>> = {
  status: /^survey (preview|test)$/i,
  response_status: /^(survey )?(preview|test)$/i,
  response_type: /^(survey )?(preview|test)$/i,
  distribution_channel: /^(preview|test)$/i,
  is_test: /^(true|yes|1)$/i,
  is_test_data: /^(true|yes|1)$/i,
  test_data: /^(true|yes|1)$/i,
}

/** Tells whether a row of a file with these columns is a test answer. */
export function testAnswers(columns: readonly string[]): (cells: readonly string[]) => boolean {
  const told = columns.flatMap((column, at) => {
    const name = nameOf(column)
    const says = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined
    return says ? [{ at, says }] : []
  })
  return (cells) => told.some(({ at, says }) => says.test(cells[at]?.trim() ?? ''))
}

import { isDeepStrictEqual } from 'node:util'
import type { Connector } from '../../connector.ts'

type App = NonNullable<Connector['app']>

/**
 * What is wrong with the credentials of an app: each is trimmed, and refused when it is empty or has spaces inside; each field has an environment variable,
 * and exactly the secret ones are sealed. `form`: valid values of all fields.
 */
export function credentialProblems(app: App, form: Readonly<Record<string, string>>): string[] {
  const names = app.fields.map(({ name }) => name)
  const secrets = app.fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name)
  const padded = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, ` ${value} `]))
  const takes = (more: object) => app.form.safeParse({ ...form, ...more }).success
  const isWrong: [problem: string, wrong: boolean][] = [
    ['the form is not trimmed', !isDeepStrictEqual(app.form.safeParse(padded).data, form)],
    ['not every field has a variable', !isDeepStrictEqual(Object.keys(app.environment), names)],
    ['not exactly the secret fields are sealed', !isDeepStrictEqual(secrets, [...app.secretFields])],
    ...names.flatMap((name): [string, boolean][] => [
      [`${name} may be empty`, takes({ [name]: '' })],
      [`${name} may have spaces`, takes({ [name]: 'a b' })],
    ]),
  ]
  return isWrong.filter(([, wrong]) => wrong).map(([problem]) => problem)
}

import { expect } from 'vitest'
import type { Connector } from '../../connector.ts'

type App = NonNullable<Connector['app']>

/**
 * The credentials of an app are trimmed, and each is refused when it is empty or has spaces inside; each field has an environment variable, and exactly the
 * secret ones are sealed. `form`: valid values of all fields.
 */
export function expectCredentials(app: App, form: Readonly<Record<string, string>>): void {
  const names = app.fields.map(({ name }) => name)
  const padded = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, ` ${value} `]))
  expect(app.form.parse(padded)).toEqual(form)
  expect(Object.keys(app.environment)).toEqual(names)
  expect(app.fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name)).toEqual([...app.secretFields])
  for (const name of names) {
    expect(app.form.safeParse({ ...form, [name]: '' }).success).toBe(false)
    expect(app.form.safeParse({ ...form, [name]: 'a b' }).success).toBe(false)
  }
}

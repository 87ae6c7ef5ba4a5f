import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ItemGone } from '../kit/errors.ts'
import {
  apiUrl,
  chosenOrganisation,
  chosenProject,
  placeOf,
  profileUrl,
  projectIn,
  projectPath,
  refOf,
  remoteIdOf,
  requireRef,
  signInUrl,
} from './place.ts'

const project = randomUUID()
const of = (settings: Record<string, unknown>) => ({ settings })

describe('an address', () => {
  it('is that of Azure DevOps and Microsoft, or one for all', () => {
    expect([apiUrl, signInUrl, profileUrl].map((host) => host({ baseUrl: null, settings: {} }))).toEqual([
      'https://dev.azure.com',
      'https://login.microsoftonline.com',
      'https://app.vssps.visualstudio.com',
    ])
    const baseUrl = 'http://127.0.0.1:8080'
    for (const host of [apiUrl, signInUrl, profileUrl]) expect(host({ baseUrl, settings: {} })).toBe(baseUrl)
  })
})

it('a path has the name of a project as one part', () => {
  expect(projectPath({ organisation: 'fabrikam', project: 'R&D / ../x' })).toBe('/fabrikam/R%26D%20%2F%20..%2Fx/_apis')
})

describe('the organisation', () => {
  it.each([
    [{ organizations: ['fabrikam'] }, 'fabrikam'],
    [{ organizations: ['fabrikam'], in_organization: ['contoso'] }, 'fabrikam'],
    [{ organizations: ['fabrikam', 'contoso'], in_organization: ['contoso'] }, 'contoso'],
    [{ organizations: ['fabrikam', 'contoso'] }, null],
    [{ organizations: ['fabrikam', 'contoso'], in_organization: ['other'] }, null],
    [{ organizations: ['a/b'] }, null],
    [{ organizations: 'fabrikam' }, null],
    [{}, null],
  ])('of %j is %s', (settings, expected) => expect(chosenOrganisation(of(settings))).toBe(expected))
})

describe('the project', () => {
  it.each([
    [[project], project],
    [[project.toUpperCase()], project],
    [['../x'], null],
    [[], null],
    ['text', null],
  ])('of %j is %s', (chosen, expected) => expect(chosenProject(of({ project: chosen }))).toBe(expected))
})

describe('the id of an item', () => {
  const settings = { organizations: ['Fabrikam', 'contoso'], in_organization: ['Fabrikam'], project: [project] }

  it('names its organisation and its number, and is found again whatever is chosen', () => {
    const { organisation } = placeOf(of(settings))
    const id = remoteIdOf(of(settings), organisation, 42)
    expect(id).toBe('fabrikam/42')
    expect(refOf(of(settings), id)).toEqual({ organisation, id: 42 })
    expect(refOf(of({ ...settings, in_organization: ['contoso'] }), id)).toEqual({ organisation, id: 42 })
  })

  it.each([
    [{ project }, project],
    [{ project: '../x' }, null],
    [{ project: 7 }, null],
    [{}, null],
  ])('with the data %j has the project %j', (data, expected) => expect(projectIn(data)).toBe(expected))

  it.each([
    ['42'],
    ['other/42'],
    ['fabrikam/../42'],
    [`fabrikam/${project}/42`],
    ['fabrikam/42x'],
    ['fabrikam/'],
    ['/42'],
    [''],
  ])('%j is none of the connection’s', (id) => {
    expect(refOf(of(settings), id)).toBeNull()
    expect(() => requireRef(of(settings), id)).toThrow(ItemGone)
  })
})

import { AzureError } from './refuse.ts'

/** The newest version of the API of a server: Azure DevOps Server 2019, 2020, 2020.1, 2022 and 2022.1. */
export type ServerVersion = '5.0' | '6.0' | '6.1' | '7.0' | '7.1'

/** By template and version, where a part of the API is in preview. */
const COMMENTS: Readonly<Record<string, string>> = {
  '6.0': '6.0-preview.3',
  '7.0': '7.0-preview.3',
  '7.1': '7.1-preview.4',
}
const STATES: Readonly<Record<string, string>> = { '6.0': '6.0-preview.1' }

/** Refuses a version of the API as Azure DevOps does. `newest` is that of a server; null: Azure DevOps Services, here with 7.1 alone. */
export function requireVersion(template: string, given: string | null, newest: ServerVersion | null): void {
  const [, version = ''] = /^(\d+\.\d+)(?:-preview(?:\.\d+)?)?$/.exec(given ?? '') ?? []
  if (newest !== null && Number(version) > Number(newest)) {
    throw new AzureError(
      400,
      'VssVersionOutOfRangeException',
      `The requested REST API version of ${version} is out of range for this server. The latest REST API version this server supports is ${newest}.`,
    )
  }
  const own = template.includes('/comments') ? COMMENTS : template.endsWith('/states') ? STATES : {}
  const isKnown = newest === null ? version === '7.1' : version !== ''
  if (!isKnown || given !== (own[version] ?? version)) {
    throw new AzureError(400, 'VssInvalidPreviewVersionException', 'VS402000: The api-version is not valid')
  }
}

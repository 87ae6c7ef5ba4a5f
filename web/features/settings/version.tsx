import { getHealth } from '@groundswell/contract/operations.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'

/** The version of the server, which it tells only signed-in users. Renders nothing until it is known. */
export function Version() {
  const { data } = useQuery({ queryKey: ['version'], queryFn: () => call(getHealth, {}), retry: false })
  return data?.version ? <p className="mt-10 text-small text-muted">Groundswell {data.version}</p> : null
}

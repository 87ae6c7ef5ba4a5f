import { getComparisonUsage } from '@groundswell/contract/evaluation/comparisons.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { count } from '../../ui/text/plural.ts'
import { call } from '../client/index.ts'
import { placeFromAddress, placeToAddress } from './flow-address.ts'

const DECIMALS = 2

/** What the answers of each generator took. Nothing where their files do not say it, and on a server without that call. */
export function UsageTable() {
  const [address] = useSearchParams()
  // The server answers for the selection, which is in the address.
  const selection = placeToAddress({ ...placeFromAddress(address), index: 0 }).toString()
  const { data } = useQuery({
    queryKey: ['comparisons', 'usage', selection],
    queryFn: async () => (await call(getComparisonUsage, {}).catch(() => null))?.generators ?? [],
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (!data || data.length === 0) return null
  return (
    <section aria-label="Cost and time" tabIndex={0} className="mt-4 overflow-x-auto border-t border-line pt-3">
      <h3 className="font-semibold">Cost and time</h3>
      <table className="mt-2 w-full border-collapse text-left tabular-nums">
        <thead className="text-small text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-1.5 pr-4 font-medium">
              Generator
            </th>
            {['Answers', 'Calls', 'Tokens', 'Tokens per answer', 'Seconds per answer'].map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map(({ generator, answers, calls, tokens, seconds }) => (
            <tr key={generator} className="border-b border-line last:border-0">
              <th scope="row" dir="auto" className="py-1.5 pr-4 font-normal break-words">
                {generator}
              </th>
              <Figure>{count(answers)}</Figure>
              <Figure>{count(calls)}</Figure>
              <Figure>{count(tokens)}</Figure>
              <Figure>{count(Math.round(tokens / answers))}</Figure>
              <Figure>{(seconds / answers).toFixed(DECIMALS)}</Figure>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Figure({ children }: { children: string }) {
  return <td className="px-3 py-1.5 text-right">{children}</td>
}

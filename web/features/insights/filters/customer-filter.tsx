import { useCustomerChoices } from '../../customers/index.ts'
import { Choice } from './choice.tsx'

/** Shows only the insights that one customer mentioned. The largest customers are offered; any other is chosen on their own screen. */
export function CustomerFilter({ chosen, onChoose }: { chosen: string; onChoose: (customer: string) => void }) {
  const options = useCustomerChoices(chosen)
  return <Choice label="Customer" any="Any customer" value={chosen} options={options} onChoose={onChoose} />
}

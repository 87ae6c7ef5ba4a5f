import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'

/** The link to the customers and their list. */
export function CustomersSection() {
  return (
    <Section title="Customers" lead="The organisations behind feedback, with plan, revenue and region.">
      <SettingCard>
        <SettingRow
          title="List of customers"
          actions={
            <Link to="/customers" className={buttonClass()}>
              Show customers
            </Link>
          }
        >
          Upload a CSV file with what you know about them, or see what each one said.
        </SettingRow>
      </SettingCard>
    </Section>
  )
}

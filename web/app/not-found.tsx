import { Link } from 'react-router'
import { buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

/** An address that leads nowhere, for someone who is signed in. */
export function NotFound() {
  return (
    <Page title="Nothing is at this address" lead="It may have moved, or the link was cut short.">
      <Link to="/insights" className={buttonClass('primary')}>
        Go to the insights
      </Link>
    </Page>
  )
}

import { Link } from 'react-router'
import { buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

/** An unknown address, for a signed-in user. */
export function NotFound() {
  return (
    <Page title="Page not found" lead="It may have moved, or the link may be incomplete.">
      <Link to="/insights" className={buttonClass('primary')}>
        Go to Insights
      </Link>
    </Page>
  )
}

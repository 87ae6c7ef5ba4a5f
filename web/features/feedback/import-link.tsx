import { Upload } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { useHasExtras } from '../operations/index.ts'

/** The link to the import; nothing on a server without imports. */
export function ImportLink({ look = 'secondary' }: { look?: 'primary' | 'secondary' }) {
  if (!useHasExtras()) return null
  return (
    <Link to="/import" data-edits className={buttonClass(look)}>
      <Upload size={14} aria-hidden />
      Import a file
    </Link>
  )
}

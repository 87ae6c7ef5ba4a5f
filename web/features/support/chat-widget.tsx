import { useEffect } from 'react'
import { type ChatWidget, providers } from './widgets.ts'

type ChatWidgetProps = { widget: ChatWidget; name: string; email: string }

/**
 * The live-chat widget, with the signed-in user's name and email. It is loaded with this component and removed with it: after
 * logging out, nothing of it is left in the page.
 */
export function ChatWidgetFrame({ widget, name, email }: ChatWidgetProps) {
  useEffect(() => {
    const provider = providers[widget.provider]
    const person = { name, email }
    provider.begin(widget, person)
    const script = document.createElement('script')
    script.src = provider.script(widget)
    script.async = true
    script.addEventListener('load', () => provider.loaded?.(widget, person))
    document.head.append(script)
    return () => {
      provider.end()
      script.remove()
      for (const trace of document.querySelectorAll(provider.traces)) trace.remove()
    }
  }, [widget, name, email])
  return null
}

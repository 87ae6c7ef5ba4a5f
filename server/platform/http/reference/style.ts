/** The style of the reference, in the colours of the web app. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --canvas: #f7f7f5; --surface: #fff; --line: #e5e4df; --text: #1d1d1b; --muted: #62615b; --accent: #0f6e6e; --soft: #e0efee; --code: #f1f1ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #131413; --surface: #191a19; --line: #2d2f2d; --text: #ecece8; --muted: #a3a49d; --accent: #63c7be; --soft: #1c3533; --code: #232523;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.page { display: grid; grid-template-columns: 280px minmax(0, 760px); gap: 48px; max-width: 1140px; margin: 0 auto; padding: 0 24px; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 32px 4px; font-size: 14px; }
nav p { margin: 0 0 16px; font-weight: 600; font-size: 16px; }
nav h2 { margin: 20px 0 4px; font-size: 12px; font-weight: 600; color: var(--muted); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 3px 0; color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
nav li a:hover { color: var(--accent); text-decoration: underline; }
main { padding: 32px 0 96px; min-width: 0; }
h1 { margin: 0 0 8px; font-size: 26px; line-height: 1.25; }
main > section > h2 { margin: 48px 0 4px; font-size: 19px; }
.lead { margin: 0 0 8px; color: var(--muted); }
article { margin-top: 16px; padding: 20px 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
article h3 { margin: 0; font-size: 16px; }
article h4 { margin: 20px 0 6px; font-size: 13px; color: var(--muted); }
.call { margin: 4px 0 8px; overflow-wrap: anywhere; }
.method { padding: 1px 6px; border-radius: 4px; background: var(--soft); color: var(--accent); font-weight: 600; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { margin: 8px 0 0; padding: 12px 14px; max-height: 420px; overflow: auto; background: var(--code); border-radius: 6px; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields li { padding: 4px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields .fields { margin: 4px 0 0 8px; padding-left: 12px; border-left: 2px solid var(--line); }
.fields code { font-weight: 600; }
.fields p { margin: 0; font-size: 13px; }
.type, .errors { color: var(--muted); font-size: 13px; }
summary { cursor: pointer; color: var(--accent); font-size: 14px; }
details { margin-top: 8px; }
.errors { margin: 16px 0 0; }
.plain { list-style: none; margin: 12px 0 0; padding: 0; font-size: 14px; }
.plain li { padding: 6px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
@media (max-width: 860px) {
  .page { display: block; padding: 0 16px; }
  nav { position: static; max-height: none; padding: 20px 0 0; border-bottom: 1px solid var(--line); }
  nav > ul, nav > h2 { display: none; }
  main { padding-top: 20px; }
  article { padding: 16px; }
}
`

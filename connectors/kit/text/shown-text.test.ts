import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownText } from './shown-text.ts'

describe('a text that says nothing of its kind', () => {
  it.each([
    // Mails and rich-text editors: everything is inside elements.
    ['<p>The scan fails</p>', 'The scan fails'],
    [
      '<div dir="ltr"><p>Hi,</p><p>the <b>label printer</b> won&#39;t start&nbsp;anymore<br></p></div>',
      "Hi,\nthe label printer won't start anymore",
    ],
    ['<html><head><style>p{color:red}</style></head><body><p>Can&rsquo;t print</p></body></html>', 'Can’t print'],
    ['\n <!-- mail -->\n<div>One</div>\n<div>Two</div>\n', 'One\nTwo'],
    ['<ul>\n  <li>One</li>\n  <li>Two</li>\n</ul>', '- One\n- Two'],
    ['<div><p>Cut off by the export, wh</p><p>ich limits ce', 'Cut off by the export, wh\nich limits ce'],
    [
      '<p>See <a href="https://acme.test/a">the page</a> &amp; fix it</p>',
      'See the page (https://acme.test/a) & fix it',
    ],
    ['<p>x</p><script>alert("<p>y</p>")</script>', 'x'],
    // Text with elements in it, as editors write it: no space separates them.
    ['Hello,<div>the scan fails</div><div><br></div><div>Thanks</div>', 'Hello,\nthe scan fails\n\nThanks'],
    ['Hello,<br>the scan fails<br/>Thanks', 'Hello,\nthe scan fails\nThanks'],
    ['Hello,<br />\nthe scan fails &amp; stops<br />\nThanks', 'Hello,\nthe scan fails & stops\nThanks'],
    ['<b>Hello</b><br><br>the scan fails', 'Hello\n\nthe scan fails'],
    ['Two problems: <ul><li>It is slow</li><li>It is ugly</li></ul>', 'Two problems:\n- It is slow\n- It is ugly'],
    ['<p>Thanks for the update.</p>Now it is slow', 'Thanks for the update.\nNow it is slow'],
    // An earlier message that is answered.
    ['<div>It fails again</div><blockquote type="cite"><p>Is it fixed?</p></blockquote>', 'It fails again'],
    ['<blockquote type="cite"><p>Only this</p></blockquote>', 'Only this'],
    // What is no element was typed.
    ['<p>The type List<String> fails if a<b && c>d</p>', 'The type List<String> fails if a<b && c>d'],
    [
      '<p>Write to Ann <ann@acme.test> or <https://acme.test/x></p>',
      'Write to Ann <ann@acme.test> or <https://acme.test/x>',
    ],
    ['<p>How do I type &lt;b&gt;?</p>', 'How do I type <b>?'],
    ['<p>a</p><o:p></o:p><p>b</p>', 'a\nb'],
    ['<p>a\0b</p>', 'ab'],
    ['<p>&nbsp;</p><p><br></p>', ''],
  ])('is read as HTML where it is written in it: %j', (text, shown) => {
    expect(shownText(text, null)).toBe(shown)
  })

  it.each([
    'how do I type <b> in the editor?',
    'how do I type <b>bold</b> in the editor?',
    'if (a<b && c>d) return',
    'The type List<String> is not accepted',
    'Tom &amp; Jerry can&#39;t print',
    'I <3 it &lt;3',
    'The <p> tag is missing',
    '<p> and <div> are shown in my mails',
    '<br> is shown in my mails',
    'Which is right, <br> or <br/>?',
    'The tag "<br>" is shown',
    'What does `<div>` do, and `<p>x</p>`?',
    'When I paste <div>hello</div> into the editor, it is shown as text',
    '<p>hello</p> is what the editor shows',
    'The page has broken markup:\n<div class="a">\n  <p>Hello</p>\n</div>\nPlease fix it',
    'The import prints\n<?xml version="1.0"?>\n<config><item>1</item></config>',
    '<config><item>1</item></config>',
    '### Steps\n\n<details>\n<summary>Log</summary>\n\nx\n\n</details>',
    '<p align="center"><img src="a.png"></p>\n\n# Title\n\nIt fails',
    'a < b > c',
    '<p>',
    '',
  ])('stays as it is written where it is not: %j', (text) => {
    expect(shownText(text, null)).toBe(text)
  })
})

describe('a text of a declared kind', () => {
  it('is read as HTML, whatever is in it', () => {
    expect(shownText('Tom &amp; <b>Jerry</b>', 'html')).toBe('Tom & Jerry')
    expect(shownText('<p>One<p>Two', 'html')).toBe('One\nTwo')
  })

  it('stays as it is written where it is plain', () => {
    expect(shownText('<p>One</p>', 'plain')).toBe('<p>One</p>')
  })
})

describe('any text', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<br>',
    '<b>',
    '</b>',
    '<div ',
    '>',
    '<',
    '&amp;',
    '"',
    '`',
    ' ',
    '\n',
    'ab',
    '\0',
    '<x>',
    '<!--',
    '-->',
    '<ul><li>',
    '</ul>',
  )
  const any = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('stays as it is, or becomes a text without what is not shown', () => {
    const markup = /\0|<\/?(?:p|br|b|div|ul|li)>/
    fc.assert(
      fc.property(any, (text) => {
        const shown = shownText(text, null)
        expect(shown === text || !markup.test(shown)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  it('without a block element stays as it is', () => {
    const inline = any.map((text) => text.replace(/<\/?(?:p|br|div|ul|li)\b/g, ''))
    fc.assert(
      fc.property(inline, (text) => {
        expect(shownText(text, null)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})

/** Repeated to 1 MB, these would take minutes if any step were quadratic: the test's own time limit is the only clock. */
it.each([
  '<div>',
  '</div>',
  '<p>x',
  '<p>x</p>',
  'x<br>',
  '<',
  '<a',
  '<a ',
  '<ul><li>',
  '</',
  '<b &',
  '<!--',
  '<p a="',
  '<div><p>',
  '&lt;',
])('survives 1 MB of %j', (part) => {
  const text = `<div><p>x</p>${part.repeat(Math.ceil(1_000_000 / part.length))}`
  expect(shownText(text, null).length).toBeLessThanOrEqual(text.length * 2)
})

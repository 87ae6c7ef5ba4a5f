import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlText } from './html-text.ts'

const textOf = (html: string) => htmlText(html).text

describe('the text of HTML', () => {
  it.each([
    ['<p>One</p><p>Two</p>', 'One\nTwo'],
    ['<div><div>One</div></div><div>Two</div>', 'One\nTwo'],
    ['One<br>Two<br/><br />Three', 'One\nTwo\n\nThree'],
    ['One<br><br><br><br>Two', 'One\n\nTwo'],
    ['<h1>Title</h1>Text<hr>More', 'Title\nText\nMore'],
    ['  a \n\t b\u00a0\u00a0c <b> d</b>', 'a b c d'],
    ['<b>bo</b>ld and <i>it</i>alic', 'bold and italic'],
    ['<p>a<p>b<p>c', 'a\nb\nc'],
    ['<table><tr><td>A</td><td>B</td></tr><tr><td>C<td>D</table>', 'A B\nC D'],
    ['<pre>a\n  b\r\nc</pre>d', 'a\n  b\nc\nd'],
    ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['<ol><li>one<ol><li>inner</ol><li>two</ol>', '1. one\n1. inner\n2. two'],
    ['', ''],
    ['   ', ''],
    ['plain text', 'plain text'],
  ])('%j', (html, text) => {
    expect(textOf(html)).toBe(text)
  })

  it.each([
    [
      '&lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&#39; &#x1F642; &euro; &nosuch; &',
      '<b> &amp; "x" \'y\' 🙂 € &nosuch; &',
    ],
    ['Z&uuml;rich &#0; &#xD800; end', 'Zürich \ufffd \ufffd end'],
    ['soft\u00adhyphen zero\u200bwidth \ufeffmark \0nul', 'softhyphen zerowidth mark nul'],
    ['family 👩\u200d👧', 'family 👩\u200d👧'],
    ['lone \ud83d surrogate', 'lone \ufffd surrogate'],
  ])('decodes %j once', (html, text) => {
    expect(textOf(html)).toBe(text)
  })

  it.each([
    ['<style>p { color: red }</style>a', 'a'],
    ['<script>alert("<p>x</p>")</script>a', 'a'],
    ['<head><title>Mail</title><meta charset="utf-8"></head><body>a</body>', 'a'],
    ['<head><body>a', 'a'],
    ['a<!-- b --><!doctype html><![CDATA[x]]><?php y ?>c', 'ac'],
    ['<!--[if mso]><p>Outlook</p><![endif]-->a', 'a'],
    ['<span style="display:none;font-size:0">Preview</span>a', 'a'],
    ['<span style="DISPLAY: none">x<span>y</span>z</span>a', 'a'],
    ['<p hidden>x<p>a', 'a'],
    ['<template><p>x</p></template>a', 'a'],
    ['<img src="cid:1" alt="image001.png">a', 'a'],
    ['a<b', 'a'],
    ['<<</</a>b>', '<< b>'],
    ['<<!-- x -->b>', '< b>'],
    ['a <!-- b', 'a'],
    ['<STYLE>x</STYLE><P>a</P>', 'a'],
  ])('omits what is not shown: %j', (html, text) => {
    expect(textOf(html)).toBe(text)
  })

  it.each([
    ['<a href="https://acme.test/help?x=1">the help</a>', 'the help (https://acme.test/help?x=1)'],
    ['see <a href="https://acme.test/a">this</a>, please', 'see this (https://acme.test/a), please'],
    ['<a href="https://www.acme.test/">acme.test</a>', 'acme.test'],
    ['<a href="http://acme.test/a"><b>https://acme.test</b>/a/</a>', 'https://acme.test/a/'],
    ['<a href="mailto:anna@acme.test?subject=x">Anna</a>', 'Anna (anna@acme.test)'],
    ['<a href="mailto:anna@acme.test">anna@acme.test</a>', 'anna@acme.test'],
    ['<a href="tel:+4144">call</a>', 'call (+4144)'],
    ['<a href="javascript:alert(1)">x</a> <a href="#top">y</a> <a href="/z">z</a> <a>w</a>', 'x y z w'],
    ['<a href="https://acme.test/"><img src="logo.png"></a>a', 'a'],
    [`<a href="https://acme.test/p?${'t'.repeat(300)}">x</a>`, 'x (https://acme.test/p)'],
    [`<a href="https://acme.test/${'p'.repeat(300)}">x</a>`, 'x (https://acme.test)'],
    ['<a href="https://acme.test/<b>">x</a>', 'x (https://acme.test)'],
    ['<a href="https://a.test">one<a href="https://b.test">two</a>', 'one (https://a.test)two (https://b.test)'],
    ['<a href="https://a.test">open', 'open (https://a.test)'],
    ['<a href="https://">x</a>', 'x'],
  ])('shows the address of a link once: %j', (html, text) => {
    expect(textOf(html)).toBe(text)
  })

  it.each([
    ['<p>Hi <at id="0">Anna Example</at>, look</p><attachment id="7"></attachment>', 'Hi @Anna Example, look'],
    ['<p>Good<emoji id="like" alt="👍" title="Like"></emoji></p>', 'Good👍'],
    ['<p>Good <img itemtype="http://schema.skype.com/Emoji" alt="😀" src="x"></p>', 'Good 😀'],
    ['<p>Good <img alt="🎉" src="x"><img alt="1f389.png" src="x"></p>', 'Good 🎉'],
    ['<p>x <customemoji id="a" alt=":partyparrot:"></customemoji></p>', 'x :partyparrot:'],
    ['<systemEventMessage/>', ''],
    ['<p>x</p><codeblock class="Json"><code>{\n  "a": 1\n}</code></codeblock>', 'x\n{\n  "a": 1\n}'],
    ['<attachment id="7"/><p>after</p>', 'after'],
  ])('of a chat message: %j', (html, text) => {
    expect(textOf(html)).toBe(text)
  })
})

describe('a quoted message', () => {
  it.each([
    ['Reply<blockquote>Earlier</blockquote>', 'Reply', 'Earlier'],
    ['Reply<div class="gmail_quote gmail_quote_container"><div>Earlier</div></div>', 'Reply', 'Earlier'],
    ['Reply<div class="x_gmail_quote">Earlier</div>', 'Reply', 'Earlier'],
    ['Reply<div class="yahoo_quoted" id="yahoo_quoted_12">Earlier</div>', 'Reply', 'Earlier'],
    ['Reply<div class="protonmail_quote">Earlier</div>', 'Reply', 'Earlier'],
    [
      'Reply<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> A</div><div>Earlier</div>',
      'Reply',
      'From: A\nEarlier',
    ],
    ['<blockquote itemtype="http://schema.skype.com/Reply">Earlier</blockquote><p>Reply</p>', 'Reply', 'Earlier'],
    ['Reply<blockquote>A <blockquote>B</blockquote> C</blockquote>', 'Reply', 'A\nB\nC'],
    ['Reply<blockquote>A</blockquote><hr><p> </p><blockquote>B</blockquote>', 'Reply', 'A\n\nB'],
    ['<blockquote type="cite">A</blockquote>One<blockquote type="CITE">B</blockquote>Two', 'One\n\nTwo', 'A\nB'],
    [
      'One<blockquote>From: Ann<br>Sent: Monday<br>To: Ben<br><br>A</blockquote>Two',
      'One\nTwo',
      'From: Ann\nSent: Monday\nTo: Ben\n\nA',
    ],
    ['One<blockquote>On 1 Mar 2026, Anna wrote:<br>A</blockquote>Two', 'One\nTwo', 'On 1 Mar 2026, Anna wrote:\nA'],
    ['One<div class="gmail_quote"><blockquote>A</blockquote>B</div>Two', 'One\n\nTwo', 'A\nB'],
    ['<blockquote>Only this', '', 'Only this'],
  ])('is returned separately: %j', (html, text, quoted) => {
    expect(htmlText(html)).toEqual({ text, quoted, signature: '' })
  })

  it.each([
    ['One<blockquote>A</blockquote>Two', 'One\n\nA\n\nTwo', ''],
    ['<blockquote>A</blockquote>One<blockquote>B</blockquote>Two', 'A\n\nOne\n\nB\n\nTwo', ''],
    ['<blockquote>A <blockquote>B</blockquote> C</blockquote>One', 'A\nB\nC\n\nOne', ''],
    ['One<blockquote>A</blockquote>Two<blockquote>Earlier</blockquote>', 'One\n\nA\n\nTwo', 'Earlier'],
    ['One<blockquote>A<br>--<br>B</blockquote>Two', 'One\n\nA\n--\nB\n\nTwo', ''],
    ['One<blockquote><ul><li>A</ul><pre>B\n  C</pre></blockquote><p>Two', 'One\n\n- A\nB\n  C\n\nTwo', ''],
    ['One<blockquote>A<div class="gmail_quote">Earlier</div>B</blockquote>Two', 'One\n\nA\n\nB\n\nTwo', 'Earlier'],
    ['One<blockquote>A<blockquote type="cite">Earlier</blockquote></blockquote>Two', 'One\n\nA\n\nTwo', 'Earlier'],
  ])('in the middle of what its writer says is kept: %j', (html, text, quoted) => {
    expect(htmlText(html)).toEqual({ text, quoted, signature: '' })
  })

  it.each([
    'Reply<blockquote>Earlier</blockquote><p>-- <br>Anna</p>',
    'Reply<p>-- <br>Anna</p><blockquote>Earlier</blockquote>',
    'Reply<blockquote>Earlier</blockquote><div class="gmail_signature">Anna</div>',
    'Reply<div class="gmail_signature">Anna</div><blockquote>Earlier</blockquote>',
  ])('that only a signature follows or precedes ends the message: %j', (html) => {
    expect(htmlText(html)).toEqual({ text: 'Reply', quoted: 'Earlier', signature: 'Anna' })
  })

  it('takes its attribution line with it, but not what is written below it', () => {
    const html =
      '<div>Top</div><div>On 1 Mar 2026, at 10:00, Anna wrote:</div><blockquote>Earlier</blockquote><div>Below</div>'
    expect(htmlText(html)).toEqual({
      text: 'Top\nBelow',
      quoted: 'On 1 Mar 2026, at 10:00, Anna wrote:\n\nEarlier',
      signature: '',
    })
  })

  it('of Outlook begins at its header', () => {
    const html = `<p>Reply</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Anna &lt;anna@acme.test&gt;<br>
      <b>Sent:</b> Monday, March 2, 2026 10:00<br><b>To:</b> Support<br><b>Subject:</b> Export</p></div><p>Earlier</p>`
    const { text, quoted } = htmlText(html)
    expect(text).toBe('Reply')
    expect(quoted).toBe(
      'From: Anna <anna@acme.test>\nSent: Monday, March 2, 2026 10:00\nTo: Support\nSubject: Export\nEarlier',
    )
  })
})

it.each([
  ['<p>Text</p><div class="gmail_signature">Anna<br>Acme</div>', 'Anna\nAcme'],
  ['<p>Text</p><span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature">Anna</div>', 'Anna'],
  ['<p>Text</p><div class="moz-signature">-- <br>Anna</div>', '--\nAnna'],
  ['<p>Text</p><div id="Signature">Anna</div>', 'Anna'],
  ['<p>Text</p><p>-- <br>Anna</p>', 'Anna'],
])('returns a signature separately: %j', (html, signature) => {
  expect(htmlText(html)).toEqual({ text: 'Text', quoted: '', signature })
})

const BROKEN = [
  '<',
  '</',
  '>',
  '"',
  "'",
  '=',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '&',
  '&#',
  '&#x',
  ';',
  '\0',
  '\ud800',
  '\n',
  ' ',
]
const NAMES =
  'a at b blockquote br div emoji img li ol p iframe noembed noframes noscript plaintext pre script span style svg table td template textarea title tr ul x-y xmp'.split(
    ' ',
  )
const piece = fc.oneof(
  fc.constantFrom(...BROKEN),
  fc.constantFrom(...NAMES).map((name) => `<${name}>`),
  fc.constantFrom(...NAMES).map((name) => `</${name}>`),
  fc.constantFrom(
    '<a href="https://a.test/">',
    '<div class="gmail_quote">',
    '<p style="display:none">',
    '<img alt="<b>">',
    '-- <br>',
  ),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('On 1 Mar Anna wrote:', 'From: A', 'Sent: B', '> c', 'word', '&lt;', '&amp;'),
)
const document = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

describe('any input', () => {
  it('gives well-formed texts without control marks', () => {
    fc.assert(
      fc.property(document, (html) => {
        for (const text of Object.values(htmlText(html))) {
          expect(text.isWellFormed()).toBe(true)
          expect(text).not.toMatch(/[\0\uE000-\uF8FF]/)
          expect(text).not.toMatch(/\n{3}|^\s|\s$/)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('gives no markup, unless someone wrote about markup in entities', () => {
    const typed = document.map((html) => html.replaceAll('&', '').replaceAll('<img alt="<b>">', ''))
    fc.assert(
      fc.property(typed, (html) => {
        for (const text of Object.values(htmlText(html))) expect(text).not.toMatch(/<\/?[a-z][^<>]*>/i)
      }),
      { numRuns: 3000 },
    )
  })

  it('loses no word of well-nested elements', () => {
    const nested = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.stringMatching(/^w[0-9a-f]{6}$/),
        fc
          .tuple(
            fc.constantFrom('p', 'b', 'div', 'li', 'ul', 'blockquote', 'td', 'pre', 'a', 'at', 'span'),
            fc.array(tie('node')),
          )
          .map(([name, children]) => `<${name}>${children.join(' ')}</${name}>`),
      ),
    })).node
    fc.assert(
      fc.property(nested, (html) => {
        const { text, quoted } = htmlText(html)
        const words = (from: string) => (from.match(/w[0-9a-f]{6}/g) ?? []).toSorted()
        expect(words(`${text} ${quoted}`)).toEqual(words(html))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Repeated to 100 kB, these would take minutes if any step were quadratic: the test's own time limit is the only clock. */
it.each([
  '<b>',
  '<div>',
  '</div>',
  '<i><div>',
  '<a href=x>',
  '<ul><li>',
  '<blockquote>',
  '<blockquote>x</blockquote>y',
  '<blockquote></blockquote>',
  '<',
  '&',
  '&amp;',
  '<!--',
  '<br>On 1',
  '<br>From: x<br>',
  `<br>on ${'1'.repeat(290)}`,
  '<br>-- ',
  '<a b="',
  '<p hidden>',
  '<br>&gt;',
  ' ',
  '<pre>\n',
  '<td>',
  '_',
  '<svg><p>',
  '\ue000',
  '<img alt="🙂">',
])('survives 100 kB of %j', (part) => {
  const html = part.repeat(Math.ceil(100_000 / part.length))
  const { text, quoted, signature } = htmlText(`<div><b><div>${html}</i></b></a></div>`)
  expect(text.length + quoted.length + signature.length).toBeLessThanOrEqual(html.length * 2)
})

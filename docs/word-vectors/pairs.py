# Extracts texts of programs and their handbooks in English and in German, French, Spanish and Portuguese, one per line, into pairs.txt,
# pairs.de.txt and so on; a line without a translation in that language is empty. Needs the folder `packages` of `texts.py`, and in it also
# libreoffice-help-de libreoffice-help-fr libreoffice-help-es libreoffice-help-pt-br
import gettext
import html
import json
import re
from collections import defaultdict
from pathlib import Path
from random import Random

CODES = {'de': ('de', 'de_DE'), 'fr': ('fr', 'fr_FR'), 'es': ('es', 'es_ES'), 'pt': ('pt_BR', 'pt')}
MARKUP = (
    r'\{\{[^}]*\}\}|\$\{[^}]*\}|\{[^}]*\}|%\([a-zA-Z_]+\)[sd]|%[-0-9$.]*[a-zA-Z]+|%[0-9]+|\$[0-9]+|\[\[[^\]|]*\|?|\]\]|https?:\S+'
)
MOST = 100_000
packages = Path('packages')
pairs = defaultdict(dict)


def plain(said):
    said = re.sub(MARKUP, ' ', html.unescape(re.sub(r'<[^>]*>', ' ', said)))
    said = re.sub(r'[_&](?=\w)', '', re.sub(r'\([&_]\w\)', '', said)).replace('~', '')
    return re.sub(r'\s+', ' ', said).strip(' .:…').lower()


def is_text(said):
    words = re.findall(r'[^\W\d_]+', said)
    if not 1 <= len(words) <= 24 or len(said) >= 240 or re.search(r'[{}=\\<>|]|::|--|/\w+/', said):
        return False
    return sum(map(len, words)) >= 0.7 * len(said.replace(' ', ''))


def add(language, english, other):
    english, other = plain(english), plain(other)
    if english != other and english.isascii() and is_text(english) and is_text(other):
        pairs[english].setdefault(language, other)


def add_sentences(language, english, other):
    ours, theirs = re.split(r'(?<=[.!?])\s+', english), re.split(r'(?<=[.!?])\s+', other)
    if len(ours) == len(theirs):
        for one, two in zip(ours, theirs):
            add(language, one, two)


def catalogues(language, code):
    for file in sorted({*packages.rglob(f'{code}/LC_MESSAGES/*.mo'), *packages.rglob(f'languages/**/*{code}.mo')}):
        try:
            said = gettext.GNUTranslations(open(file, 'rb'))._catalog
        except (OSError, UnicodeDecodeError, ValueError):
            continue
        for key, other in said.items():
            if isinstance(key, tuple) and key[1] != 1:
                continue
            add(language, (key[0] if isinstance(key, tuple) else key).split('\x04')[-1], other)


def flat(value, path=''):
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from flat(one, f'{path}/{key}')


def of_json(file):
    return dict(flat(json.loads(file.read_text())))


def of_lines(pattern):
    return lambda file: dict(re.findall(pattern, file.read_text(errors='ignore'), re.M))


def beside(language, names, english, reader):
    """Adds the texts of English files that have a counterpart in the language, matched by key."""
    for file in sorted(packages.rglob(english)):
        for name in names:
            other = Path(str(file).replace('/en_US/', f'/{name}/')) if '/' in english else file.with_name(name + file.suffix)
            try:
                ours, theirs = reader(file), reader(other)
            except (OSError, ValueError):
                continue
            for key in ours:
                if key in theirs:
                    add_sentences(language, ours[key], theirs[key])


BLOCK = r'(?s)<(?:p|li|h\d|td|title|dt|dd)(?:\s[^>]*)?>(.*?)(?=</?(?:p|li|h\d|td|title|dt|dd|tr|ul|ol|table|div|page|section|steps|item|list|note)\b)'


def blocks(file):
    text = re.sub(r'(?s)<(script|style|pre|code|programlisting|screen)[^>]*>.*?</\1>', ' ', file.read_text(errors='ignore'))
    return [re.sub(r'\s+', ' ', re.sub(r'<[^>]*>', ' ', block)).strip() for block in re.findall(BLOCK, text)]


def handbook(language, english, other):
    """Adds the pages of a handbook in two languages, if both have the same number of blocks."""
    for file in sorted(english.rglob('*')):
        page = other / file.relative_to(english)
        if file.suffix in ('.html', '.page', '.xhp') and page.exists():
            ours, theirs = blocks(file), blocks(page)
            if len(ours) == len(theirs):
                for one, two in zip(ours, theirs):
                    add_sentences(language, one, two)


office = 'usr/share/libreoffice/help'
gnome = packages / 'gnome-user-docs/usr/share/help'
debian = packages / 'debian-handbook/usr/share/doc/debian-handbook/html'
HANDBOOKS = {'de': ('de', 'de', 'de-DE'), 'fr': ('fr', 'fr', 'fr-FR'), 'es': ('es', 'es', 'es-ES'), 'pt': ('pt-BR', 'pt_BR', 'pt-BR')}
for language, codes in CODES.items():
    for code in codes:
        catalogues(language, code)
    names = (*codes, codes[0].replace('_', '-'), codes[0].replace('_', '-').lower())
    beside(language, names, 'en.json', of_json)
    beside(language, names, 'en.yml', of_lines(r'^\s*([\w.]+): *["\']?(.{3,}?)["\']?$'))
    home = f'{language}_{language.upper()}'
    beside(language, (*codes, home), 'en_US/*.inc', of_lines(r"\$\w+\['(\w+)'\]\s*=\s*'((?:[^'\\]|\\.)*)'"))
    in_office, in_gnome, in_debian = HANDBOOKS[language]
    package = packages / f'libreoffice-help-{in_office.lower()}'
    handbook(language, packages / 'libreoffice-help-en-us' / office / 'en-US', package / office / in_office)
    handbook(language, gnome / 'C', gnome / in_gnome)
    handbook(language, debian / 'en-US', debian / in_debian)

english = sorted(pairs)
Random(3).shuffle(english)
english = english[:MOST]
Path('pairs.txt').write_text('\n'.join(english) + '\n')
for language in CODES:
    Path(f'pairs.{language}.txt').write_text('\n'.join(pairs[one].get(language, '') for one in english) + '\n')
print(len(english), {language: sum(language in pairs[one] for one in english) for language in CODES})

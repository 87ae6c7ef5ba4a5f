# One vector a stem, such that the mean over a text's words points where the teacher's vector of the text does, beside the
# words' GloVe vectors; both together brought to 96 numbers. Writes table.json.
import base64
import json

import numpy as np
from scipy.sparse import csr_matrix

DIMENSIONS, TAUGHT, GLOVE, BATCH, RATE = 96, 96, 64, 1024, 0.002


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)[:, None]


def stems(file):
    return [line.split() for line in open(f'{file}.stems').read().split('\n')[:-1]]


def principal(rows, first, count):
    return np.linalg.svd(rows[:8000], full_matrices=False)[2][first : first + count]


of_word = [' '.join(line) for line in stems('words.txt')]
row_of = {}
for one in of_word + '0 dont cant doesnt isnt im ive wont didnt wasnt havent couldnt'.split():
    if one and ' ' not in one:
        row_of.setdefault(one, len(row_of))
texts = stems('corpus.txt')
rank = np.log(2 + np.arange(len(of_word)))[:, None]


def matrix(texts):
    held = [[row_of[word] for word in text if word in row_of] for text in texts]
    at = np.repeat(np.arange(len(held)), [len(one) for one in held])
    share = np.concatenate([np.full(len(one), 1 / len(one), np.float32) for one in held if one])
    return csr_matrix((share, (at, np.concatenate([one for one in held if one]).astype(int))), shape=(len(held), len(row_of)))


def by_stem(rows):
    table = np.zeros((len(row_of), rows.shape[1]), np.float32)
    done = set()
    for word, one in zip(of_word, rows):
        row = row_of.get(word)
        if row is not None and row not in done:
            table[row] = one
            done.add(row)
    return table


teacher = unit(np.fromfile('corpus.f32', np.float32).reshape(-1, 512))
teacher -= teacher.mean(0)
axes = np.linalg.eigh(teacher.T @ teacher)[1][:, ::-1][:, :TAUGHT].astype(np.float32)
target = unit(teacher @ axes)
single = unit(np.fromfile('words.f32', np.float32).reshape(-1, 512))
single = unit(single - single.mean(0))
common = principal(single, 0, 2)
taught = by_stem((single - single @ common.T @ common) @ axes * rank)
taught *= 0.05 / np.abs(taught).mean()
mean, spread, random = np.zeros_like(taught), np.zeros_like(taught), np.random.default_rng(3)
said = matrix(texts)
for step, chosen in enumerate(np.array_split(random.permutation(len(texts)), len(texts) // BATCH), 1):
    batch, goal = said[chosen], target[chosen]
    made = batch @ taught
    length = np.maximum(np.linalg.norm(made, axis=1), 1e-6)[:, None]
    made /= length
    pull = -goal + 8 * (made @ made.T - goal @ goal.T) @ made / len(chosen)
    pull = (pull - (pull * made).sum(1)[:, None] * made) / length
    slope = batch.T @ pull / len(chosen) * 100
    mean = 0.9 * mean + 0.1 * slope
    spread = 0.99 * spread + 0.01 * slope * slope
    taught -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-3)

places = {word: i for i, word in enumerate(json.load(open('glove-words.json')))}
glove = np.load('glove.npy')[[places[word] for word in open('words.txt').read().split('\n')[:-1]]]
glove -= glove.mean(0)
glove = by_stem(glove @ principal(glove, 5, GLOVE).T * rank)
some = said[:30000]
size = lambda table: np.linalg.norm(some @ table, axis=1).mean()
both = np.hstack([taught / size(taught) * np.sqrt(0.55), glove / size(glove) * np.sqrt(0.45)])
seen = unit(some @ both)
both = (both @ np.linalg.eigh(seen.T @ seen)[1][:, ::-1][:, :DIMENSIONS]).astype(np.float32)

words = sorted(word for word in row_of if np.linalg.norm(both[row_of[word]]) > 0)
rows = both[[row_of[word] for word in words]]
scales = (np.abs(rows).max(1) / 127).astype('<f4')
values = np.rint(rows / scales[:, None]).clip(-127, 127).astype(np.int8)
encode = lambda array: base64.b64encode(array.tobytes()).decode()
table = {'dimensions': DIMENSIONS, 'words': ' '.join(words), 'scales': encode(scales), 'values': encode(values)}
open('table.json', 'w').write(json.dumps(table, separators=(',', ':')) + '\n')

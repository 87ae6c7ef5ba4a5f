# Fits one vector per stem of German, French, Spanish and Portuguese in the space of the English table, so that the mean over the words of a
# translation has the direction of the teacher's vector for the English line. Needs Debian's python3-torch, everything that `table.py` needs, the
# en.json it writes, and pairs.f32 written by `teacher.py`. Writes de.json, fr.json, es.json and pt.json, and prints how often one of 2,000
# translations left out of the fit finds its English line again.
import base64
import json
from collections import Counter

import numpy as np
import torch

from space import AXES, COMMON, DIMENSIONS, bags, stems, unit, vectors

LEAST, BATCH, ROUNDS, RATE, LEFT_OUT = 3, 1024, 4, 0.002, 2000
torch.set_num_threads(1)


def sums(table, rows, parts):
    bag = torch.nn.functional.embedding_bag
    return bag(rows, table, per_sample_weights=parts, mode='sum', padding_idx=0)


def lengths(table, texts, row_of):
    return np.linalg.norm(sums(torch.tensor(table), *bags(texts[:20_000], row_of)).numpy(), axis=1)


english = json.load(open('en.json'))
in_english = {word: i + 1 for i, word in enumerate(english['words'].split(' '))}
whole = np.frombuffer(base64.b64decode(english['values']), np.int8).reshape(-1, DIMENSIONS)
scaled = whole * np.frombuffer(base64.b64decode(english['scales']), '<f4')[:, None]
english_table = np.vstack([np.zeros((1, DIMENSIONS), np.float32), scaled]).astype(np.float32)
said = stems('pairs')
usual = lengths(english_table, said, in_english)
usual = usual[usual > 0].mean()
goals = unit(unit(vectors('pairs') - COMMON) @ AXES).astype(np.float32)


def found(made, others):
    return float((made @ others.T).argmax(1).eq(torch.arange(len(made))).float().mean())


def fit(language):
    texts = stems(f'pairs.{language}')
    counts = Counter(word for text in texts for word in set(text))
    usable = [word for word, times in counts.items() if times >= LEAST and len(word) > 1 and word.isalpha()]
    words = sorted(usable)
    row_of = {word: i + 1 for i, word in enumerate(words)}
    order = np.random.default_rng(5)
    kept = order.permutation([i for i, text in enumerate(texts) if any(word in row_of for word in text)])
    left_out, kept = kept[:LEFT_OUT], kept[LEFT_OUT:]
    rows, parts = bags([texts[i] for i in kept], row_of)
    goal = torch.tensor(goals[kept])
    start = np.zeros((len(words) + 1, DIMENSIONS), np.float32)
    times = np.zeros(len(words) + 1, np.float32)
    for i in range(len(kept)):
        for row, part in zip(rows[i].tolist(), parts[i].tolist()):
            if row:
                start[row] += part * goals[kept[i]]
                times[row] += part
    start = (start / (times + 2)[:, None] * np.log(len(kept) / (1 + times))[:, None]).astype(np.float32)
    table = torch.tensor(start * (0.05 / np.abs(start).mean()), requires_grad=True)
    adam = torch.optim.Adam([table], lr=RATE, betas=(0.9, 0.99), eps=1e-6)
    steps = ROUNDS * (len(kept) // BATCH)
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: max(0.02, 1 - step / steps))
    for _ in range(ROUNDS):
        for some in np.array_split(order.permutation(len(kept)), len(kept) // BATCH):
            made = torch.nn.functional.normalize(sums(table, rows[some], parts[some]))
            wanted = goal[some]
            apart = (1 - (made * wanted).sum(1)).mean()
            crossed = ((made @ made.T - wanted @ wanted.T) ** 2).mean()
            adam.zero_grad()
            (apart + 0.08 * len(some) * crossed).backward()
            adam.step()
            rate.step()
    fitted = table.detach()
    made = torch.nn.functional.normalize(sums(fitted, *bags([texts[i] for i in left_out], row_of)))
    ours = sums(torch.tensor(english_table), *bags([said[i] for i in left_out], in_english))
    again = found(made, torch.tensor(goals[left_out])), found(made, torch.nn.functional.normalize(ours))
    print(language, len(words), 'stems;', len(kept), 'pairs; found by the teacher %.3f, by the English table %.3f' % again, flush=True)
    theirs = lengths(fitted.numpy(), texts, row_of)
    return words, fitted.numpy()[1:] * (usual / theirs[theirs > 0].mean())


for language in ('de', 'fr', 'es', 'pt'):
    words, table = fit(language)
    scales = (np.abs(table).max(1) / 127).astype('<f4')
    values = np.rint(table / scales[:, None]).clip(-127, 127).astype(np.int8)
    encode = lambda array: base64.b64encode(array.tobytes()).decode()
    made = {'dimensions': DIMENSIONS, 'words': ' '.join(words), 'scales': encode(scales), 'values': encode(values)}
    open(f'{language}.json', 'w').write(json.dumps(made, separators=(',', ':'), ensure_ascii=False) + '\n')

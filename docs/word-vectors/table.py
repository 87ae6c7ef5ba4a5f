# Fits one vector per stem, so that the mean over a text's words has the direction of the teacher's vector of the text. Fitted once
# on each body of text; the table is the mean of both fits, which does better than either on texts of neither body. Needs Debian's
# python3-torch. Writes en.json.
import base64
import json

import numpy as np
import torch

from space import AXES, BODIES, COMMON, DIMENSIONS, bags, stems, taught, unit, vectors

BATCH, ROUNDS, RATE = 1024, 2, 0.002
torch.manual_seed(1)
torch.set_num_threads(1)


of_word = [' '.join(line) for line in stems('words')]
row_of = {}
for one in of_word + '0 dont cant doesnt isnt im ive wont didnt wasnt havent couldnt wouldnt shouldnt arent hasnt'.split():
    if one and ' ' not in one:
        row_of.setdefault(one, len(row_of) + 1)


single = vectors('words')
single = unit(single - single.mean(0))
usual = np.linalg.svd(single[:8000], full_matrices=False)[2][:2]
single = (single - single @ usual.T @ usual) @ AXES * np.log(2 + np.arange(len(single)))[:, None]
start = np.zeros((len(row_of) + 1, DIMENSIONS), np.float32)
for word, vector in reversed(list(zip(of_word, single))):
    if word in row_of:
        start[row_of[word]] = vector
start *= 0.05 / np.abs(start).mean()


def fit(body):
    goals = torch.tensor(unit(unit(taught[body] - COMMON) @ AXES))
    rows, parts = bags(stems(body), row_of)
    table = torch.nn.Embedding(len(start), DIMENSIONS, padding_idx=0)
    table.weight.data = torch.tensor(start)
    order = np.random.default_rng(3)
    adam = torch.optim.Adam(table.parameters(), lr=RATE, betas=(0.9, 0.99), eps=1e-6)
    steps = ROUNDS * (len(goals) // BATCH)
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: max(0.02, 1 - step / steps))
    for _ in range(ROUNDS):
        for some in np.array_split(order.permutation(len(goals)), len(goals) // BATCH):
            made = torch.nn.functional.normalize((table(rows[some]) * parts[some][:, :, None]).sum(1))
            goal = goals[some]
            apart = (1 - (made * goal).sum(1)).mean()
            crossed = ((made @ made.T - goal @ goal.T) ** 2).mean()
            adam.zero_grad()
            (apart + 0.08 * len(some) * crossed).backward()
            adam.step()
            rate.step()
    fitted = table.weight.detach().numpy()
    return fitted / np.linalg.norm((fitted[rows.numpy()] * parts.numpy()[:, :, None]).sum(1), axis=1).mean()


both = sum(fit(body) for body in BODIES)
words = sorted(word for word in row_of if np.linalg.norm(both[row_of[word]]) > 0)
rows = both[[row_of[word] for word in words]]
scales = (np.abs(rows).max(1) / 127).astype('<f4')
values = np.rint(rows / scales[:, None]).clip(-127, 127).astype(np.int8)
encode = lambda array: base64.b64encode(array.tobytes()).decode()
table = {'dimensions': DIMENSIONS, 'words': ' '.join(words), 'scales': encode(scales), 'values': encode(values)}
open('en.json', 'w').write(json.dumps(table, separators=(',', ':')) + '\n')

# Shared by all tables: reading texts, and the vector space, whose axes are the directions in which the teacher's vectors of both bodies of text
# differ most.
import numpy as np
import torch

BODIES = ('meanings', 'software')
DIMENSIONS, TAUGHT, WORDS = 128, 384, 24


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)[:, None]


def vectors(file):
    return np.fromfile(f'{file}.f32', np.float32).reshape(-1, TAUGHT)


def stems(file):
    return [line.split() for line in open(f'{file}.txt.stems').read().split('\n')[:-1]]


def bags(texts, row_of):
    """For each text its rows (0: none) and the share of the text that each makes up."""
    rows = np.zeros((len(texts), WORDS), np.int64)
    parts = np.zeros((len(texts), WORDS), np.float32)
    for i, text in enumerate(texts):
        known = [row_of[word] for word in text if word in row_of]
        for j, row in enumerate(list(dict.fromkeys(known))[:WORDS]):
            rows[i, j], parts[i, j] = row, known.count(row) / len(known)
    return torch.tensor(rows), torch.tensor(parts)


taught = {body: vectors(body) for body in BODIES}
COMMON = np.concatenate(list(taught.values())).mean(0)
spread = sum(unit(rows - COMMON).T @ unit(rows - COMMON) for rows in taught.values())
AXES = np.linalg.eigh(spread)[1][:, ::-1][:, :DIMENSIONS].copy()

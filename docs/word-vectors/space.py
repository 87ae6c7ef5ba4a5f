# The space that all tables share: the directions in which the teacher's vectors of both bodies of texts differ most.
import numpy as np

BODIES = ('meanings', 'software')
DIMENSIONS, TAUGHT = 128, 384


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)[:, None]


def vectors(file):
    return np.fromfile(f'{file}.f32', np.float32).reshape(-1, TAUGHT)


taught = {body: vectors(body) for body in BODIES}
COMMON = np.concatenate(list(taught.values())).mean(0)
spread = sum(unit(rows - COMMON).T @ unit(rows - COMMON) for rows in taught.values())
AXES = np.linalg.eigh(spread)[1][:, ::-1][:, :DIMENSIONS].copy()

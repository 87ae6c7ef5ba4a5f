"""Trains the low-rank adapter of the sentence encoder, offline. Why and what came out: docs/decisions/0108-adapter.md; how to run it: README.md."""
import argparse, base64, glob, hashlib, json, math, os, random, re, struct, time, unicodedata

import numpy as np
import torch
import torch.nn.functional as F

WIDTH, HEADS, LAYERS, RANK = 384, 12, 6, 16
MODEL_TOKENS = 256
# Longer texts are cut in training: attention costs more than it teaches.
TRAINED_TOKENS = 64
# Decides when to stop. Named before the first run, never trained on, in no field of a labelled set.
HELD_OUT = ("blood-donation", "genealogy", "robot-vacuum", "ski-resort")
ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
SCALE = 2.0
# A batch: texts of problems of one product (so that each problem meets its hard negatives), or of intents of one public set.
PROBLEMS, TEXTS = 24, 3
TEMPERATURE = 0.07
# How much the change of cosines between different problems counts: it keeps the geometry that thresholds are tuned for.
HOLD = 2.0
RATE, WARM_UP = 3e-4, 20
SHARE_WRITTEN = 0.7


def read_tensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    kinds = {"F16": np.float16, "F32": np.float32}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in kinds:
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(data[start:end], dtype=kinds[entry["dtype"]]).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.astype(np.float32))
    return tensors


def write_tensors(path, tensors):
    header, data = {}, b""
    for name, values in tensors.items():
        bytes_ = values.astype(np.float16).tobytes()
        header[name] = {"dtype": "F16", "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    content = struct.pack("<Q", len(text)) + text + data
    with open(path, "wb") as file:
        file.write(content)
    return hashlib.sha256(content).hexdigest()


class WordPiece:
    """The tokenizer of the model, as `encoder/wordpiece.ts` has it."""

    def __init__(self, path):
        file = json.load(open(path))
        self.words = file["model"]["vocab"]
        self.special = {token["content"]: token["id"] for token in file["added_tokens"]}
        self.longest = file["model"]["max_input_chars_per_word"]

    def ids(self, text):
        found = []
        for section in re.split("(" + "|".join(map(re.escape, self.special)) + ")", text):
            if section in self.special:
                found.append(self.special[section])
            else:
                for word in self._words(section):
                    found += self._pieces(word)
        return [self.words["[CLS]"]] + found[: MODEL_TOKENS - 2] + [self.words["[SEP]"]]

    def _words(self, text):
        ignored = lambda c: c not in "\t\n\r" and (c in "\0\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs"))
        kept = "".join(c for c in text if not ignored(c))
        kept = re.sub("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]", r" \g<0> ", kept)
        kept = unicodedata.normalize("NFD", kept.lower())
        kept = "".join(c for c in kept if unicodedata.category(c) != "Mn")
        stands_alone = lambda c: unicodedata.category(c).startswith("P") or (c.isascii() and not c.isalnum() and ord(c) > 32)
        return "".join(f" {c} " if stands_alone(c) else c for c in kept).split()

    def _pieces(self, word):
        pieces, at = [], 0
        if len(word) > self.longest:
            return [self.words["[UNK]"]]
        while at < len(word):
            prefix, end = "##" if at else "", len(word)
            while end > at and prefix + word[at:end] not in self.words:
                end -= 1
            if end == at:
                return [self.words["[UNK]"]]
            pieces.append(self.words[prefix + word[at:end]])
            at = end
        return pieces


class Encoder(torch.nn.Module):
    """all-MiniLM-L6-v2; with `is_adapted`, the matrices of rank 16 beside each linear layer are its only parameters."""

    def __init__(self, tensors, is_adapted):
        super().__init__()
        self.tensors, self.is_adapted = tensors, is_adapted
        self.adapter = torch.nn.ParameterDict()
        if is_adapted:
            for layer in range(LAYERS):
                for name in ADAPTED:
                    full = f"encoder.layer.{layer}.{name}"
                    rows, columns = tensors[f"{full}.weight"].shape
                    self.adapter[key_of(full) + "__down"] = torch.nn.Parameter(torch.randn(RANK, columns) / math.sqrt(columns))
                    self.adapter[key_of(full) + "__up"] = torch.nn.Parameter(torch.zeros(rows, RANK))

    def linear(self, name, x):
        out = F.linear(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"])
        if not self.is_adapted:
            return out
        down, up = self.adapter[key_of(name) + "__down"], self.adapter[key_of(name) + "__up"]
        return out + SCALE * F.linear(F.linear(x, down), up)

    def norm(self, name, x):
        return F.layer_norm(x, (WIDTH,), self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], 1e-12)

    def forward(self, ids, mask):
        embeddings = {name: self.tensors[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")}
        x = embeddings["word"][ids] + embeddings["position"][torch.arange(ids.shape[1])] + embeddings["token_type"][0]
        x = self.norm("embeddings.LayerNorm", x)
        batch, length, _ = x.shape
        ignored = (1 - mask[:, None, None, :]) * -1e9
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            parts = (self.linear(f"{at}.attention.self.{part}", x) for part in ("query", "key", "value"))
            query, key, value = (part.view(batch, length, HEADS, -1).transpose(1, 2) for part in parts)
            weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + ignored, -1)
            mixed = (weights @ value).transpose(1, 2).reshape(batch, length, WIDTH)
            x = self.norm(f"{at}.attention.output.LayerNorm", x + self.linear(f"{at}.attention.output.dense", mixed))
            inner = F.gelu(self.linear(f"{at}.intermediate.dense", x))
            x = self.norm(f"{at}.output.LayerNorm", x + self.linear(f"{at}.output.dense", inner))
        return F.normalize((x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)


def key_of(name):
    return name.replace(".", "_")


def padded(rows, most=MODEL_TOKENS):
    rows = [row if len(row) <= most else row[: most - 1] + row[-1:] for row in rows]
    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    mask = torch.zeros(ids.shape)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = 1
    return ids, mask


def encode(model, rows, most=MODEL_TOKENS, size=64):
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    vectors = torch.zeros(len(rows), WIDTH)
    with torch.no_grad():
        for start in range(0, len(order), size):
            some = order[start : start + size]
            vectors[some] = model(*padded([rows[i] for i in some], most))
    return vectors


def nearest_is_right(vectors, labels):
    """How often the nearest other text has the label of a text, in percent; of texts whose label another one has."""
    alike = vectors @ vectors.T
    alike.fill_diagonal_(-2)
    nearest = alike.argmax(1).tolist()
    judged = [i for i, label in enumerate(labels) if label is not None and labels.count(label) > 1]
    return 100 * sum(labels[nearest[i]] == labels[i] for i in judged) / len(judged)


def read_written(folder, tokenizer):
    """By product, the texts of each of its problems, as ids of tokens."""
    products = {}
    for file in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        groups = {}
        for line in open(file):
            row = json.loads(line)
            groups.setdefault((row["component"], row["problem"]), []).append(tokenizer.ids(row["text"]))
        products[os.path.basename(file)[: -len(".jsonl")]] = list(groups.values())
    return products


def read_labelled(file, tokenizer):
    """Texts and labels of a file of JSON lines or of text, tab, label."""
    if file.endswith(".jsonl"):
        rows = [json.loads(line) for line in open(file)]
        return [tokenizer.ids(row["text"]) for row in rows], [row["label"] for row in rows]
    rows = [line.rstrip("\n").split("\t") for line in open(file)]
    return [tokenizer.ids(text) for text, _ in rows], [label for _, label in rows]


def grouped(texts, labels):
    groups = {}
    for text, label in zip(texts, labels):
        groups.setdefault(label, []).append(text)
    return list(groups.values())


def loss_of(model, base, rows, labels):
    """Supervised contrastive loss, and how far cosines between different labels moved from those of the base model."""
    ids, mask = padded(rows, TRAINED_TOKENS)
    vectors = model(ids, mask)
    with torch.no_grad():
        before = base(ids, mask)
    alike = vectors @ vectors.T
    labels = torch.tensor(labels)
    own = torch.eye(len(rows), dtype=torch.bool)
    same = (labels[:, None] == labels[None, :]) & ~own
    logits = (alike / TEMPERATURE).masked_fill(own, -1e9)
    chance = logits - torch.logsumexp(logits, 1, keepdim=True)
    contrast = -((chance * same).sum(1) / same.sum(1).clamp(min=1)).mean()
    moved = ((alike - before @ before.T)[labels[:, None] != labels[None, :]] ** 2).mean()
    return contrast, moved


def store(model, out, reference, tokenizer):
    """Writes the adapter at 16 bits, and into `reference` the vectors of what is stored."""
    stored, tensors = {}, dict(model.tensors)
    for layer in range(LAYERS):
        for name in ADAPTED:
            full = f"encoder.layer.{layer}.{name}"
            down = model.adapter[key_of(full) + "__down"].detach().numpy().astype(np.float16)
            up = (SCALE * model.adapter[key_of(full) + "__up"].detach().numpy()).astype(np.float16)
            stored[f"{full}.down"], stored[f"{full}.up"] = down, up
            low_rank = torch.from_numpy(up.astype(np.float32)) @ torch.from_numpy(down.astype(np.float32))
            tensors[f"{full}.weight"] = tensors[f"{full}.weight"] + low_rank
    print("adapter", write_tensors(out, stored), flush=True)
    merged = Encoder(tensors, False)
    rows = json.load(open(reference))
    for row in rows:
        vector = encode(merged, [tokenizer.ids(row["text"])])[0].numpy().astype(np.float16)
        row["adapted"] = base64.b64encode(vector.tobytes()).decode()
    with open(reference, "w") as file:
        file.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    encoder = os.path.join(here, "..", "..", "..", "encoder")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="folder of tokenizer.json and model.fp16.safetensors")
    parser.add_argument("--intents", nargs="*", default=[], help="files of text, tab, label: CLINC150 train and HWU64 train")
    parser.add_argument("--check", nargs="*", default=[], help="labelled files that are printed and decide nothing")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--every", type=int, default=25, help="steps between two judgements")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", default=os.path.join(encoder, "adapter.safetensors"))
    parser.add_argument("--reference", default=os.path.join(encoder, "reference.json"))
    a = parser.parse_args()
    random.seed(a.seed)
    torch.manual_seed(a.seed)
    np.random.seed(a.seed)
    torch.set_num_threads(a.threads)
    tokenizer = WordPiece(os.path.join(a.model, "tokenizer.json"))
    tensors = read_tensors(glob.glob(os.path.join(a.model, "model*.safetensors"))[0])
    products = read_written(os.path.join(here, "written"), tokenizer)
    held_out = {name: products.pop(name) for name in HELD_OUT}
    written = list(products.values())
    intents = [grouped(*read_labelled(file, tokenizer)) for file in a.intents]
    checks = {os.path.basename(file): read_labelled(file, tokenizer) for file in a.check}
    model, base = Encoder(tensors, True), Encoder(tensors, False)

    def judge(step):
        figures = {}
        for name, groups in held_out.items():
            texts = [text for group in groups for text in group]
            labels = [str(i) for i, group in enumerate(groups) for _ in group]
            figures[name] = nearest_is_right(encode(model, texts, TRAINED_TOKENS), labels)
        mean = sum(figures.values()) / len(figures)
        for name, (texts, labels) in checks.items():
            figures[name] = nearest_is_right(encode(model, texts, TRAINED_TOKENS), labels)
        print(f"step {step}: held out {mean:.1f} | " + ", ".join(f"{name} {value:.1f}" for name, value in figures.items()), flush=True)
        return mean

    best, best_step, best_adapter = judge(0), 0, None
    optimizer = torch.optim.AdamW(model.adapter.parameters(), lr=RATE, weight_decay=0.01)
    started = time.time()
    for step in range(1, a.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, step / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / (a.steps * 1.1)))
        source = random.choice(written if random.random() < SHARE_WRITTEN or not intents else intents)
        chosen = random.sample(source, min(PROBLEMS, len(source)))
        rows, labels = [], []
        for label, texts in enumerate(chosen):
            for text in random.sample(texts, min(TEXTS, len(texts))):
                rows.append(text)
                labels.append(label)
        contrast, moved = loss_of(model, base, rows, labels)
        optimizer.zero_grad()
        (contrast + HOLD * moved).backward()
        torch.nn.utils.clip_grad_norm_(model.adapter.parameters(), 1.0)
        optimizer.step()
        if step % a.every == 0:
            print(f"  loss {contrast.item():.3f} + {moved.item():.4f}, {(time.time() - started) / step:.1f} s a step", flush=True)
            now = judge(step)
            if now > best:
                best, best_step = now, step
                best_adapter = {name: value.detach().clone() for name, value in model.adapter.items()}
    print(f"best: step {best_step}, held out {best:.1f}")
    if best_adapter is not None:
        with torch.no_grad():
            for name, value in model.adapter.items():
                value.copy_(best_adapter[name])
        store(model, a.out, a.reference, tokenizer)


main()

#!/usr/bin/env python3
"""Checks the file of a Trilho ledger proof, offline: python3 verify.py FILE [PUBLIC-KEY]

Needs Python 3.8 and the package "cryptography"; docs/ledger-proof.md says what is hashed and signed.
Ends with 0 and the balances in centavos, or with 1 and the first part that is not as it was sealed."""
import json, sys
from hashlib import sha256
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def hashed(prefix, *parts):
    """SHA-256 over one byte that says what is hashed (0 a leaf, 1 a node, 2 a link), and the parts."""
    return sha256(bytes([prefix]) + b"".join(parts)).digest()


def need(condition, part):
    if not condition: raise SystemExit(f"NOT PROVED: {part}")


def check_heads(proof):
    """Each head is signed, and names the hash of the head before it: none can be left out."""
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(proof["publicKey"]))
    previous, day_before = "0" * 64, ""
    for head in proof["heads"]:
        text = "\n".join(["trilho-head-1", head["day"], previous, head["root"], str(head["leaves"])]).encode()
        try:
            key.verify(bytes.fromhex(head["signature"]), text)
        except Exception:
            need(False, f"the head of {head['day']} is not signed with the file's key, or follows another head")
        need(head["day"] > day_before, f"the head of {head['day']} does not come after {day_before}")
        previous, day_before = sha256(text).hexdigest(), head["day"]
    need(day_before == proof["day"], f"the last head is of {day_before}, not of {proof['day']}")
    return previous


def check_entries(proof):
    """Each entry adds to the sums before it, and its link hashes the link before it and its text."""
    ends = {kind: (0, 0, 0, start) for kind, start in proof["chains"].items()}
    for e in proof["entries"]:
        name = f"entry {e['version']} of {e['kind']}, transaction {e['transaction']}"
        version, balance, credit, link = ends.get(e["kind"], (0, 0, 0, ""))
        sums = (version + 1, balance + e["amount"], credit + max(e["amount"], 0))
        need((e["version"], e["balance"], e["credits"]) == sums, f"{name}: it does not follow the entry before it")
        names = ("version", "amount", "balance", "credits", "transaction", "posting", "at", "reference")
        text = "\n".join("-" if e[one] is None else str(e[one]) for one in names)
        need(hashed(2, bytes.fromhex(link), text.encode()).hex() == e["link"], f"{name}: its link is another one")
        ends[e["kind"]] = (*sums, e["link"])
    for kind in {"available", "pending", "blocked", *proof["balances"], *ends}:
        need(proof["balances"].get(kind) == ends.get(kind, (0, 0))[1], f"the balance {kind} is not that of its entries")
    return ends


def check_leaf(proof, ends):
    """What the entries come to is the account's leaf in the tree of the day: none is missing at the end."""
    lines = [" ".join(map(str, [kind, *end])) for kind, end in sorted(ends.items())]
    node = hashed(0, "\n".join(["trilho-leaf-1", proof["day"], proof["account"], *lines]).encode())
    head, at, path = proof["heads"][-1], proof["leaf"], [bytes.fromhex(one) for one in proof["path"]]
    count, is_leaf = head["leaves"], 0 <= at < head["leaves"]
    while count > 1:
        if at % 2 or at + 1 < count:  # The last one of an odd number is its own parent.
            need(path, "the path to the root is too short")
            node = hashed(1, path.pop(0), node) if at % 2 else hashed(1, node, path.pop(0))
        at, count = at // 2, (count + 1) // 2
    is_root = is_leaf and not path and node.hex() == head["root"]
    need(is_root, "the tree of the day has another leaf: entries at the end, or the account or its path, are not those")


def verify(proof):
    need(proof["format"] == "trilho-ledger-proof-1", "the file has another format")
    head_hash = check_heads(proof)
    check_leaf(proof, check_entries(proof))
    return head_hash


if __name__ == "__main__":
    proof = json.load(open(sys.argv[1], encoding="utf-8"))
    need(len(sys.argv) < 3 or sys.argv[2] == proof["publicKey"], "the public key is another one")
    print(f"Last head: {verify(proof)}, public key: {proof['publicKey']}. Compare them with what others have.",
          f"Proved: {len(proof['entries'])} entries up to {proof['day']}, {proof['balances']} centavos.", sep="\n")

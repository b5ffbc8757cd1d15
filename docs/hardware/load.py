"""Keeps a GPU busy with matrix products for the given number of seconds (default 10)."""
import sys
import time

import torch

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
b = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
end = time.monotonic() + seconds
rounds = 0
while time.monotonic() < end:
    for _ in range(20):
        a @ b
    torch.cuda.synchronize()
    rounds += 20
print(rounds, "products")

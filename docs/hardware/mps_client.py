"""A client of an MPS server: says what it was given, then multiplies matrices until its time is over.

    python3 mps_client.py SECONDS [SIZE]

Prints "ready PID SMS FREE-BYTES" once its context is there, and "done PRODUCTS SECONDS" or "failed REASON" at the end. A
client of another user's daemon never gets as far as "ready".
"""
import os
import sys
import time

seconds = float(sys.argv[1])
size = int(sys.argv[2]) if len(sys.argv) > 2 else 2048
import torch  # noqa: E402  Only now, so that bad arguments fail at once.

try:
    free, _ = torch.cuda.mem_get_info()
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    a = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    print("ready", os.getpid(), multiprocessors, free, flush=True)
    start = time.monotonic()
    products = 0
    while time.monotonic() - start < seconds:
        for _ in range(20):
            a @ b
        torch.cuda.synchronize()
        products += 20
    print("done", products, round(time.monotonic() - start, 2), flush=True)
except Exception as error:  # What CUDA says is what is to be seen.
    print("failed", str(error).splitlines()[0], flush=True)
    sys.exit(1)

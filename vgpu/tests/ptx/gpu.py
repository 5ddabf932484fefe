#!/usr/bin/env python3
"""gpu.py: asks a real GPU. Runs the tests' calls through the CUDA driver and compares what it prints
with the .expected files: what the virtual GPU is held to is what hardware does.

    gpu.py [FILE.ptx…]        (all tests of this folder when no file is named)

Needs an NVIDIA GPU and its driver, nothing else. Tests with a line `// gpu: no` are left out: what they
show (faults, deadlocks, printf) hardware shows in its own words or not at all. Exit status: 0 when
all agree.
"""
import ctypes
import difflib
import glob
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_DIFF = 30


class Driver:
    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        status = getattr(self.lib, name)(*args)
        if status != 0:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError("%s: %s" % (name, (text.value or b"?").decode()))

    def load(self, path):
        module = ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        keys = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), ctypes.c_void_p(len(log)))
        with open(path, "rb") as f:
            text = f.read() + b"\0"
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), text, 2, keys, values)
        except RuntimeError as e:
            raise RuntimeError("%s\n%s" % (e, log.value.decode(errors="replace")))
        return module


def parse_values(kind, bits, text):
    if kind == "f":
        code = "f" if bits == 32 else "d"
        number = float.fromhex(text) if "0x" in text else float(text)
        return struct.pack("<" + code, number)
    return (int(text, 0) & ((1 << bits) - 1)).to_bytes(bits // 8, "little")


class Argument:
    def __init__(self, driver, text):
        m = re.fullmatch(r"([usbf])(\d+)(?:\[(\d+)\])?(?:=(.*))?", text)
        self.kind, self.bits = m.group(1), int(m.group(2))
        self.count = int(m.group(3) or 0)
        size = self.bits // 8
        values = [parse_values(self.kind, self.bits, v) for v in m.group(4).split(",")] if m.group(4) else []
        if self.count == 0:
            self.value = ctypes.create_string_buffer(values[0], 8)
            return
        values = (values or [bytes(size)])[:self.count]
        data = b"".join(values) + values[-1] * (self.count - len(values))
        self.address = ctypes.c_uint64()
        driver.call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(len(data)))
        driver.call("cuMemcpyHtoD_v2", self.address, data, ctypes.c_size_t(len(data)))
        self.value = self.address

    def printed(self, driver, index):
        size = self.bits // 8
        data = ctypes.create_string_buffer(self.count * size)
        driver.call("cuMemcpyDtoH_v2", data, self.address, ctypes.c_size_t(len(data)))
        texts = [self.text(data.raw[i * size:(i + 1) * size]) for i in range(self.count)]
        lines = [" ".join(texts[i:i + 8]) for i in range(0, self.count, 8)]
        return ["arg %d: %s%d[%d]" % (index, self.kind, self.bits, self.count)] + lines

    def text(self, raw):
        if self.kind == "f":
            return "%.9g" % struct.unpack("<f", raw) if self.bits == 32 else "%.17g" % struct.unpack("<d", raw)
        v = int.from_bytes(raw, "little", signed=self.kind == "s")
        return "0x%0*x" % (self.bits // 4, v) if self.kind == "b" else str(v)


def dimensions(text):
    d = [int(v) for v in text.split(",")]
    return d + [1] * (3 - len(d))


def run(driver, module, words):
    grid, block, shared, name, texts = [1, 1, 1], [32, 1, 1], 0, None, []
    words = list(words)
    while words:
        w = words.pop(0)
        if w == "--kernel":
            name = words.pop(0)
        elif w == "--grid":
            grid = dimensions(words.pop(0))
        elif w == "--block":
            block = dimensions(words.pop(0))
        elif w == "--shared":
            shared = int(words.pop(0), 0)
        else:
            texts.append(w)
    args = [Argument(driver, t) for t in texts]
    pointers = (ctypes.c_void_p * max(1, len(args)))(*[ctypes.cast(ctypes.byref(a.value), ctypes.c_void_p) for a in args])
    function = ctypes.c_void_p()
    driver.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
    driver.call("cuLaunchKernel", function, *grid, *block, shared, None, pointers, None)
    driver.call("cuCtxSynchronize")
    lines = []
    for i, a in enumerate(args):
        if a.count:
            lines += a.printed(driver, i)
            driver.call("cuMemFree_v2", a.address)
    return lines


def main():
    driver, agree, differ = Driver(), 0, 0
    for path in sys.argv[1:] or sorted(glob.glob(os.path.join(HERE, "*.ptx"))):
        with open(path) as f:
            text = f.read()
        if re.search(r"^// gpu: no", text, re.M):
            continue
        with open(path[:-4] + ".expected") as f:
            expected = f.read().splitlines()
        lines = []
        module = driver.load(path)
        for call in re.findall(r"^// run: (.*)$", text, re.M):
            lines += run(driver, module, call.split())
        driver.call("cuModuleUnload", module)
        if lines == expected:
            agree += 1
            continue
        differ += 1
        print("DIFFERS " + os.path.basename(path))
        for line in list(difflib.unified_diff(expected, lines, "expected", "hardware", lineterm="", n=2))[:LONGEST_DIFF]:
            print(line)
        if "GPU_OUT" in os.environ:
            with open(os.path.join(os.environ["GPU_OUT"], os.path.basename(path)[:-4] + ".out"), "w") as f:
                f.write("\n".join(lines) + "\n")
    print("%d agree, %d differ" % (agree, differ))
    return differ != 0


if __name__ == "__main__":
    sys.exit(main())
